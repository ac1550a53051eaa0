### Русский: имена ходов и ошибки с советами.

## Ходы по имени

word-bet = ставлю
word-dark = темню
word-look = смотрю
word-fold = пас
word-compare = вскрываюсь
word-redeal = пересдача
word-boil = варим
word-accept = да
word-refuse = нет
word-split = делим
word-no-split = не-делим
word-enter = вхожу
word-stay-out = мимо
word-cut = снять
word-lift = поднять
word-replace = заменить
word-ante = ставлю
word-omit = не-ставлю
word-keep = оставить
word-expose = открыть
word-pool = складчина
word-pact = набздем

## Ошибки: что не так и что делать. Введено за столом

err-unknown-word = Не знаю слова «{ $word }».
    .advice = Введите «помощь», чтобы увидеть список команд.
err-too-many-words = В конце лишнее: «{ $word }».
    .advice = Команда не выполнена. Введите её без лишнего слова.
err-needs-amount = После «{ $word }» нужно число фишек.
    .advice = Например: { $word } 7
err-not-a-number = «{ $text }» — не целое число.
    .advice = Напишите его цифрами, например 7.
err-needs-text = После «{ $word }» нужны слова.
    .advice = Например: { $word } добрый вечер
err-text-too-long = Текст слишком длинный.
    .advice = Сократите его до { $most } байт.
err-needs-player = После «{ $word }» нужно имя или номер места игрока.
    .advice = Введите «стол», чтобы их увидеть.
err-no-such-player = Здесь никого не зовут «{ $name }».
    .advice = Введите «стол», чтобы увидеть имена и номера мест.
err-several-players = Здесь несколько игроков по имени «{ $name }».
    .advice = Назовите номер места; его показывает «стол».
err-pool-form = Складчина — это имена и фишки по очереди, первым тот, кто держит карты.
    .advice = Например: складчина Анна 13 Борис 8
err-tens-form = Ответ на вопрос о трёх десятках — да или нет.
    .advice = Введите «десятки да» или «десятки нет».
err-propose-form = Предложить правила — значит назвать их и значения.
    .advice = Например: предлагаю dark=off ante=2. Все они есть в «trinka rules --toml».
err-not-your-word = Сейчас не ваше слово.
    .advice = Дождитесь вопроса «Ваше слово?»; «стол» покажет, чья очередь.
err-nothing-proposed = Нет предложения, которое ждёт вашего ответа.
    .advice = Вы можете сами предложить другие правила: предложить ПРАВИЛО=ЗНАЧЕНИЕ
err-no-tens = У вас нет трёх десяток.
    .advice = Для пересдачи нужны три десятки у вас на руках.
err-move-not-open = «{ $word }» сейчас нельзя.
    .advice = Можно: { $choices }
err-below-price = { $amount } меньше прохода: проход { $price }.
    .advice = Заплатите { $price } или больше либо пасуйте.
err-above-most = { $amount } больше, чем можно заплатить за раз.
    .advice = Больше { $most } сейчас нельзя.
err-not-a-raise = { $price } — это проход, а не повышение.
    .advice = Введите «дальше», чтобы его заплатить, или повысьте больше.
err-place-outside = Места { $place } здесь нет.
    .advice = Выберите от { $min } до { $max }.

## Командная строка

err-full-screen-missing = Полному экрану нужен терминал.
    .advice = Запустите программу в окне терминала или возьмите --ui plain, а для скриптов --ui json.
err-bot-missing = Бота «{ $bot }» нет.
    .advice = Есть --bot careful, --bot bold и --bot random.
err-bad-set = Непонятно, что изменить: «{ $text }».
    .advice = Пишите ПРАВИЛО=ЗНАЧЕНИЕ, например --set ceiling=50.
err-no-such-preset = Правил «{ $name }» нет.
    .advice = Есть trinka-classic, trinka-online и seka.
err-option-range = { $option } не может быть { $given }.
    .advice = Выберите от { $min } до { $max }.
err-options-clash = { $one } и { $other } вместе не годятся.
    .advice = Уберите одно из двух.
err-bad-name = Такое имя не годится.
    .advice = Имя — это от 1 до { $most } букв, цифр и других видимых знаков.
err-no-data-dir = Нет домашнего каталога, где хранить данные.
    .advice = Назовите каталог через --data или TRINKA_DATA.
err-unknown-argument = Здесь нет «{ $argument }».
    .advice = Добавьте --help, чтобы увидеть, что есть.
err-unknown-command = Команды «{ $command }» нет.
    .advice = trinka --help покажет все команды.
err-missing-argument = Не хватает { $argument }.
    .advice = Добавьте --help, чтобы увидеть, как это пишется.
err-bad-value = { $argument } не может быть «{ $value }».
    .advice = Добавьте --help, чтобы увидеть, что годится.
err-usage = Командная строка непонятна: { $text }
    .advice = Добавьте --help, чтобы увидеть, как это пишется.

err-config-syntax = Это не TOML.
    .advice = Строка пишется так: КЛЮЧ = ЗНАЧЕНИЕ, слова в кавычках: name = "Анна". Каждый ключ — один раз.
err-config-key = Настройки «{ $key }» нет.
    .advice = Есть такие: { $known }
err-config-binding = В разделе [keys] «{ $what }» — не команда и не клавиша.
    .advice = Строка выглядит так: fold = "f" или start = "F5". Названия — ходы и команды по-английски: call, raise, compare, chat, hint, leave.
err-config-value = У «{ $key }» не может быть такого значения.
    .advice = { $key ->
        [lang] Годится "ru" или "en".
        [ui] Годится "full", "plain" или "json".
        [pace] Это число миллисекунд, например 700.
        [listen] Это адрес, например "0.0.0.0:24336".
        [peer] Это список адресов, например ["192.168.1.5"].
        [set] Это таблица правил: [set], а под ней строки вида ceiling = 50.
        [keys] Это таблица клавиш: [keys], а под ней строки вида fold = "f".
        [color] Годится true или false.
        [no-mdns] Годится true или false.
       *[other] Это текст в кавычках.
    }

## Узел

err-table-not-seen = Стола «{ $name }» пока не видно. Видны: { $tables }.
    .advice = Поиск идёт дальше; если вам нужен один из этих, прервите его (Ctrl-C) и сядьте за тот стол.
err-going-back = Стола «{ $name }» не видно, но за столом с таким именем вы уже сидели: возвращаемся к нему.
    .advice = Игра пойдёт дальше, как только так же вернётся достаточно игроков. Новый стол: trinka host.
err-table-left = Здесь хранится стол «{ $name }», за которым вы уже сидели; а это новый, и фишки новые.
    .advice = Чтобы продолжить тот: trinka join { $table }
err-no-table-seen = Стола «{ $name }» пока не видно, и других тоже.
    .advice = Поиск идёт дальше. Открыт ли стол, и одна ли у вас сеть? По адресу можно и без поиска: trinka join АДРЕС
err-nobody-hears = Вас пока никто не слышит: игра за столом ещё не началась.
    .advice = Повторите, когда начнётся.
err-needs-key = Непонятно, кого впустить: «{ $key }».
    .advice = Введите первые цифры и буквы отпечатка, не меньше { $least }.
err-nobody-at-the-door = Среди тех, кто просится за стол, ни у кого отпечаток не начинается с «{ $key }».
    .advice = Сверьте с тем, что написано в просьбе.
err-several-at-the-door = Отпечаток начинается с «{ $key }» сразу у нескольких из тех, кто просится за стол.
    .advice = Введите больше цифр.
err-bot-ended = Бот { $name } пропал.
    .advice = Игра пойдёт дальше без него.
err-friends-spoilt = { $file } испорчен: это не список друзей.
    .advice = Он переложен в { $aside }. Друзей придётся впустить за стол ещё раз, потом они снова запомнятся.
err-table-damaged = Файл { $file } повреждён и не годится.
    .advice = Он переложен в { $aside }. Что в нём было, известно остальным за столом и придёт от них; место и фишки сохраняются, а до тех пор этот узел не голосует. Если это повторится, проверьте диск.
err-not-a-file = { $file } — не обычный файл, а, например, канал или устройство.
    .advice = Сначала сохраните запись в файл.

err-no-tables = Рядом нет ни одного стола.
    .advice = Откройте свой: «trinka host», или назовите адрес: trinka join 192.168.1.5:24336
err-several-tables = Рядом несколько столов: { $tables }.
    .advice = Назовите нужный: trinka join ИМЯ
err-table-not-found = Стола «{ $name }» рядом нет.
    .advice = trinka tables покажет, какие есть; адрес тоже годится.
err-cannot-reach = { $reason ->
    [refused] По адресу { $address } никто не слушает.
    [timeout] По адресу { $address } никто не отвечает.
    [unreachable] Отсюда до { $address } не добраться.
    [self] { $address } — это адрес самой этой программы.
    [other] По адресу { $address } отвечает не trinka.
   *[unknown] С адресом { $address } связаться не удалось.
}
    .advice = { $reason ->
        [refused] Открыт ли там стол? Программа хозяина показывает свой адрес и порт.
        [timeout] Проверьте адрес и пропускает ли там брандмауэр порт TCP 24336.
        [unreachable] В одной ли вы сети? Может мешать VPN.
        [self] Введите адрес, который показывает другая программа.
        [other] Программа хозяина показывает свой адрес и порт.
       *[unknown] Проверьте адрес; подробности в файле журнала.
    }
err-cannot-listen = { $reason ->
    [taken] Адрес { $address } уже занят другой программой.
    [foreign] { $address } — не адрес этой машины.
    [denied] Система не разрешает слушать { $address }.
   *[unknown] Слушать { $address } не получается.
}
    .advice = { $reason ->
        [taken] Выберите другой порт через --listen, или 0 — любой свободный.
        [foreign] Возьмите через --listen один из её адресов, или 0.0.0.0 — сразу все.
        [denied] Возьмите через --listen порт больше 1023.
       *[unknown] Выберите другой адрес или порт через --listen; подробности в файле журнала.
    }
err-data-locked = Каталогом { $dir } уже пользуется другая программа trinka.
    .advice = Закройте её или назовите другой каталог через --data.
err-data-unusable = { $dir } не годится: { $reason }.
    .advice = Проверьте каталог и права на него или назовите другой через --data.
err-identity-unusable = Ключ в { $file } не годится: { $reason }.
    .advice = Верните его из резервной копии. Если его убрать, вы станете новым игроком с новым ключом.
err-identity-copied = Этим ключом подписывается кто-то ещё: каталог данных скопирован.
    .advice = Держите каждый каталог только на одной машине; этот больше ничего не подпишет.
err-other-version = У них версия { $theirs }, у вас { $ours }.
    .advice = Поставьте всем одну и ту же версию.
err-table-full = За столом «{ $name }» нет свободных мест.
    .advice = Попробуйте позже или выберите другой стол.
err-not-seated = Стол «{ $name }» начал без вас.
    .advice = Попроситесь ещё раз: впустить могут между конами.
err-host-only = Это может только хозяин.
    .advice = Попросите хозяина.
err-too-few-seated = { $seated ->
    [one] За столом только { $seated } игрок
    [few] За столом только { $seated } игрока
   *[other] За столом только { $seated } игроков
}, а нужно { $least }.
    .advice = Подождите остальных.
err-stale = Поздно: за столом уже другой ход.
    .advice = Посмотрите, что случилось, и решайте заново.
err-not-yet = Эта версия так ещё не умеет: { $what }.
    .advice = Ничего не сделано.
err-rebuy-closed = Сейчас докупать нельзя.
    .advice = Попробуйте, когда кон кончится.
err-rebuy-too-much = За столом столько нельзя.
    .advice = Докупите не больше { $most }.
err-too-fast = Слишком много сразу.
    .advice = Подождите немного.
err-engine-differs = Программа игрока { $player } считает итог записи { $entry } иначе, чем эта.
    .advice = Одна из двух играет по другим правилам: сравните версии (trinka --version) и обновите старую.
err-engine-refuses = Стол решил то, что эта программа отвергает: { $reason }.
    .advice = Сравните версии с остальными, обновите программу и войдите снова.
err-forked = Под номером { $entry } решены две разные записи: кто-то голосовал и так и этак.
    .advice = Стол закончен на записи перед ними, банк поделён. Доказательство лежит рядом с записями игры.
err-not-closable = За столом достаточно игроков, игра продолжается.
    .advice = Закрывайте стол, когда он ждёт слишком многих; чтобы уйти, покиньте его.
err-other-key = { $name } раньше был с другим ключом.
    .advice = Спросите другим путём, точно ли это он: сравните отпечатки (trinka id show).
err-broken-off = Стол прерван: { $reason }.
    .advice = Всё сыгранное есть в записях.
err-file-unreadable = { $file } не читается: { $reason }.
    .advice = Проверьте имя и права.
err-file-exists = { $file } уже есть, а поверх ничего не пишется.
    .advice = Выберите другое имя или сначала удалите файл.
err-file-unwritable = { $file } не записывается: { $reason }.
    .advice = Проверьте права и свободное место.
err-no-transcripts = В { $dir } нет ни одной записи кона.
    .advice = Записи кончаются на .trinka и лежат в «transcripts» каталога данных.
err-dir-not-empty = { $dir } не пуст.
    .advice = Назовите каталог, которого ещё нет.
err-demo-node-ended = Узел игрока { $name } закончил слишком рано ({ $status }).
    .advice = Что он сказал, стоит выше. --keep КАТАЛОГ сохранит всё, что узлы записали.
err-demo-too-slow = Узлы не закончили за { $seconds } секунд.
    .advice = Возьмите меньше игроков или конов; --keep КАТАЛОГ сохранит всё, что узлы записали.
err-internal = Внутри что-то сломалось: { $reason }.
    .advice = Пожалуйста, сообщите об этом и приложите файл журнала.

## Файлы правил, протоколы судьи, руки

err-file-too-long = { $file }: слишком длинный файл.
    .advice = В нём может быть не больше { $most } байт.
err-not-text = Это не текст UTF-8.
    .advice = Сохраните файл как UTF-8.
err-toml-syntax = Это не TOML.
    .advice = Строка пишется так: ПРАВИЛО = ЗНАЧЕНИЕ, слова в кавычках: dark = "on". Каждое правило — один раз.
err-toml-shape = У { $switch } может быть только одно простое значение.
    .advice = Например: ante = 2 или dark = "on"
err-not-a-card = «{ $text }» — не карта.
    .advice = Напишите достоинство (6 7 8 9 T J Q K A) и масть (c d h s), например As, или по-русски: Т♠, туз пик; джокер — JK.
err-not-three = Рука — это три карты, а не { $cards }.
    .advice = Например: As Ts 9s
err-script-line = Ни одна строка не начинается с «{ $word }».
    .advice = Строка — это команда, например hand, или игрок и его ход: A bet 5
err-script-move = Хода «{ $word }» нет.
    .advice = Ходы: bet, dark, look, fold, compare, redeal, boil, accept, refuse, split, no-split, enter, stay-out, ante, omit, keep, replace, а также newcomer, rebuy, away, lost, expose.
err-script-expect = «{ $word }» ожидать нельзя.
    .advice = Ожидать можно stacks, bank, turn, active, phase или price.
err-script-form = Строка неполна.
    .advice = Она пишется так: { $form }
err-script-points = Рука не может стоить «{ $text }».
    .advice = Напишите очки или три карты одного достоинства: AAA, 666, TTT.
err-script-name = «{ $name }» не годится в имена.
    .advice = Имя — одно слово не длиннее 24 букв и цифр, и не команда.
err-script-name-twice = Игрок «{ $name }» уже есть.
    .advice = Дайте каждому своё имя.
err-script-nobody = Игрока «{ $name }» здесь нет.
    .advice = Игроков называют строки вида: seat A 100
err-script-seats = Больше { $most } мест — слишком много.
    .advice = Уберите тех, кто не играет.
err-script-late = Поздно: «{ $word }».
    .advice = Правила пишут до карт, места — до первого кона; кто садится позже, того пишут так: D newcomer 80
err-script-no-move = «{ $word }» — не то, что можно отвергнуть.
    .advice = После «!» пишут ход.
err-script-no-tens = { $name }: трёх десяток на руках нет.
    .advice = Если они есть, скажите об этом раньше: points { $name } TTT
err-script-allowed = Это должно быть отвергнуто, но по правилам можно.
    .advice = Уберите «!» или найдите, где игра пошла иначе.
err-script-cards = Здесь решают карты, а они не названы: { $name }.
    .advice = Назовите их до раздачи, например: points { $name } 21
err-script-dealer = Эту раздачу сдаёт { $name }.
    .advice = Уберите строку dealer.
err-script-no-dealer = Ещё не решено, кто сдаёт.
    .advice = Допишите, что подняли или насчитали, или назовите сдающего.
err-script-false = { $what }: ожидалось { $expected }, а на деле { $found }.
    .advice = Какая-то из строк выше пошла иначе, или ожидание неверно.

## Команды скриптов

err-line-too-long = Строка длиннее 65536 байт.
    .advice = Посылайте по одной команде в строке.
err-not-json = Строка — не JSON.
    .advice = Посылайте по одному объекту в строке, например {"{"}"move":"fold"{"}"}
err-not-an-object = Команда — это один объект JSON.
    .advice = Посылайте по одному объекту в строке, например {"{"}"move":"fold"{"}"}
err-no-command = В объекте нет команды.
    .advice = Пошлите, например, {"{"}"move":"fold"{"}"} или {"{"}"leave":true{"}"}
err-unknown-field = Поля «{ $field }» здесь нет.
    .advice = Уберите его или проверьте, как оно пишется.
err-unknown-move = Хода «{ $name }» нет.
    .advice = Открытые ходы перечислены в «legal» последнего события turn.
err-missing-field = Не хватает поля «{ $field }».
    .advice = Добавьте его.
err-field-twice = Поле «{ $field }» встречается дважды.
    .advice = Оставьте одно.
err-wrong-value = В поле «{ $field }» годится только { $takes }.
    .advice = Исправьте и пошлите команду ещё раз.
takes-number = целое число
takes-seat = номер места
takes-list = список длиной от 2 до 10
takes-shares = столько целых чисел, сколько мест
takes-text = текст не длиннее 1000 байт
takes-true = true
takes-bool = true или false
takes-object = объект
takes-switches = объект с правилами и их значениями, например {"{"}"dark":"off"{"}"}

## Правила

err-unknown-switch = Правила «{ $switch }» нет.
    .advice = Проверьте, как оно пишется, например ante, ceiling, dark, svara.
err-bad-switch-value = { $switch } не может быть «{ $value }».
    .advice = Годится что-то из этого: { $choices }
err-sum-out-of-range = { $switch } не может быть { $chips }.
    .advice = Выберите от 1 до { $most } фишек.
err-switches-clash = «{ $one }» и «{ $other }» вместе не годятся.
    .advice = { $why ->
        [wild-deck] Шаха — это шестёрка треф, а в этой колоде шестёрок нет.
        [top_hand-deck] В этой колоде шестёрок нет.
        [ceiling-opening_minimum] Потолок не может быть ниже наименьшей первой ставки.
        [ceiling-dark] Потолок должен быть не меньше двойной наименьшей тёмной ставки, а при open_pass = 2x — ещё на одну фишку больше.
        [open_pass-compare_price] 1x сочетается с floor или fixed, 2x — с pass.
        [open_pass-knock_out] Где все платят поровну, сбивать нечего.
        [svara_dark-dark] Если втёмную не играют, то и на сваре тоже.
       *[other] Без свары это ничего не значит.
    } Измените одно из двух.
err-not-in-deck = Карты { $card } нет в колоде, в ней карт: { $size }.
    .advice = Возьмите карту из этой колоды.
err-card-twice = Карта { $card } названа дважды.
    .advice = Назовите три разные карты.
err-too-few-players = Нужно хотя бы два игрока.
    .advice = Подождите ещё кого-нибудь.
err-too-many-players = { $players } — слишком много игроков: в колоде карт { $deck }, её хватает на { $most }.
    .advice = Играйте не больше чем с { $most } местами или возьмите колоду больше.
err-seat-taken = Там уже сидит { $name }.
    .advice = Займите другое место.
err-no-such-seat = Там никого нет: { $name }.
    .advice = Введите «стол», чтобы увидеть места.
err-bad-buy-in = { $chips ->
    [one] { $chips } фишку купить нельзя.
    [few] { $chips } фишки купить нельзя.
   *[other] { $chips } фишек купить нельзя.
}
    .advice = Не меньше 1, а всего за столом не больше { $most }.
err-frozen = Фишки заморожены: { $name }.
    .advice = Разморозить их могут все голосующие вместе.
err-not-frozen = Фишки не заморожены: { $name }.
    .advice = Делать ничего не надо.
err-in-hand = { $name } ещё в игре.
    .advice = Попробуйте, когда кон кончится.
err-seat-twice = { $name } встречается дважды.
    .advice = Назовите каждого один раз.
err-dealer-not-playing = { $name } сдаёт, но не играет.
    .advice = Сдающий должен играть сам.
err-cannot-ante = { $name }: осталось { $stack }, а ставка в банк { $ante }.
    .advice = Докупите фишек: докупить 100
err-hand-running = Кон ещё не кончился.
    .advice = Попробуйте, когда кончится.
err-no-deal-awaited = Раздачи никто не ждёт.
    .advice = Делать ничего не надо.
err-no-comparison = Сравнения никто не ждёт.
    .advice = Делать ничего не надо.
err-no-cards-out = Карты ещё не розданы.
    .advice = Дождитесь раздачи.
err-no-move-awaited = Сейчас никто не ходит.
    .advice = Дождитесь вопроса «Ваше слово?».
err-not-your-turn = Сейчас не ваше слово, ходит { $name }.
    .advice = Дождитесь вопроса «Ваше слово?».
err-not-open = «{ $word }» сейчас нельзя.
    .advice = Выберите ход из тех, что перечислены в вопросе.
err-above-ceiling = { $amount } выше потолка.
    .advice = За раз можно не больше { $ceiling }.
err-above-stack = { $amount } больше, чем у вас есть.
    .advice = У вас { $stack ->
        [one] осталась { $stack } фишка.
        [few] осталось { $stack } фишки.
       *[other] осталось { $stack } фишек.
    }
err-compare-before-bet = Ещё никто не ставил.
    .advice = Вскрываться можно после первой ставки.
err-compare-before-neighbour = Ещё не было хода: { $name }.
    .advice = Вскрываются с соседом, который уже ходил.
err-compare-before-circle = Ещё не все ходили.
    .advice = Вскрываться можно после первого круга.
err-compare-before-last-two = В игре ещё { $active }.
    .advice = Вскрываются только последние двое.
err-looked-already = Карты уже смотрели: { $name }.
    .advice = За раздачу смотрят один раз.
err-look-before-circle = Кто темнит, пока не смотрит.
    .advice = Смотрите, когда все сходят по разу.
err-dark-closed = Темнить уже нельзя.
    .advice = Выберите ход из тех, что перечислены в вопросе.
err-dark-above-half = { $amount } слишком много, чтобы темнить.
    .advice = Здесь можно не больше { $most }, чтобы двойной проход был не выше потолка.
err-above-double = { $amount } поднимет двойной проход выше потолка.
    .advice = Заплатите не больше { $most }.
err-look-first = Карты ещё не смотрели: { $name }.
    .advice = Сначала посмотрите.
err-asked-already = В этом уже отказано.
    .advice = Спросить снова можно на следующем ходу.
err-boil-before-last-two = В игре ещё { $active }.
    .advice = Варят только последние двое.
err-answered-already = Ответ уже есть: { $name }.
    .advice = Делать ничего не надо.
err-not-asked = Этого игрока не спрашивают: { $name }.
    .advice = Делать ничего не надо.
err-initiators-first = Сначала отвечают те, у кого поровну.
    .advice = Подождите их.
err-no-more-places = Колоды хватает не больше чем на { $most }.
    .advice = Подождите следующего кона.
err-pact-already = Договор уже есть: { $name }.
    .advice = Договор только один; спросите другого.
err-not-in-svara = { $name } не участвует в сваре.
    .advice = Спросите того, кто участвует.
err-does-not-lift = { $name } не поднимает.
    .advice = Подождите тех, кто поднимает.
err-no-showdown = Открывать карты никто не просит.
    .advice = Делать ничего не надо.
err-no-dealer-choice = Сдающего сейчас не выбирают.
    .advice = Делать ничего не надо.
err-bad-lift = { $cards ->
    [one] { $cards } карту поднять нельзя.
    [few] { $cards } карты поднять нельзя.
   *[other] { $cards } карт поднять нельзя.
}
    .advice = Поднимите от 1 до { $most }.
err-other-packet = Это не те карты, которые поднял игрок { $name }.
    .advice = Назовите карты его пачки, начиная с нижней.
err-other-choice = Первого сдающего здесь определяют иначе.
    .advice = По правилам: first_dealer = { $method }
err-exposed-already = Карту уже засветили: { $name }.
    .advice = Не больше одной карты на игрока.
err-no-such-place = В остатке нет места { $place }.
    .advice = В нём карт: { $rest }; места считаются с 0.
err-no-pools = В свару здесь каждый входит сам.
    .advice = Для складчины нужно правило pool = on.
err-in-pool = { $name } уже в складчине.
    .advice = Складчина играет одной рукой.
err-empty-part = { $name } ничего не вносит в складчину.
    .advice = Каждый в ней вносит хотя бы 1.
err-pool-sum = Вместе вышло { $sum }, а вход стоит { $price }.
    .advice = Сумма должна сойтись точно.
err-refused = Правила этого не разрешают: { $text }.
    .advice = Ничего не сделано.

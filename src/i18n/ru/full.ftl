### Русский. Полный экран. Тест сравнивает этот файл с английским.

program-name = Тринька и сека
too-small = В терминале { $width } × { $height } знакомест, а нужно { $least_width } × { $least_height }. Увеличьте окно или уменьшите шрифт.
more-below = ниже есть ещё ↓
preset-name = { $preset ->
    [trinka-classic] тринька, классика
    [trinka-online] тринька, как в сети
    [seka] сека
   *[other] { $preset }
}

## Зал

lobby-head = Тринька и сека · { $name }
lobby-tables = { $n ->
    [0] Столы рядом
    [one] Рядом { $n } стол
    [few] Рядом { $n } стола
   *[other] Рядом { $n } столов
}
lobby-looking = Ищем столы в этой сети …
lobby-empty = Пока ни одного. Откройте свой — друзья в той же сети его увидят; или потренируйтесь с программами. Если у друга стол есть, а здесь его нет, введите адрес.
lobby-more = ещё { $n } ↓
lobby-actions = Что будем делать?
lobby-nothing-to-join = Садиться пока некуда. Откройте стол, потренируйтесь или введите адрес.
lobby-full = За столом «{ $name }» мест нет.
table-seats = занято { $taken } из { $seats }
table-playing = идёт игра
table-locked = по паролю
table-left = Вы снова в общем зале.
about-join = за отмеченный стол
about-make = по вашим правилам; друзья в этой сети могут сесть
about-practise = с программами на этой машине, без сети
about-address = если стола здесь не видно
about-history = сыгранные коны, каждый с доказательствами
about-settings = имя, язык, цвета, звук
about-help = все клавиши и как играть
about-quit = закрыть программу
address-text = Адрес, который показывает программа хозяина, например 192.168.1.5:24336.

## Анкеты

form-first = Добро пожаловать
form-welcome = Карточные игры для друзей в одной сети: без сервера, без раздающего, и верить никому не надо. Два вопроса — и можно играть.
form-settings = Настройки
form-make = Стол для друзей
form-practise = Тренировка с программами
form-about = Что это
form-go-first = Играть
form-go-settings = Сохранить
form-go-make = Открыть стол
form-go-practise = Начать
field-name = { $field ->
    [name] Ваше имя
    [lang] Язык
    [table] Название стола
    [preset] Игра
    [seats] Мест
    [begin] Начинать, когда игроков
    [buy-in] Фишек у каждого
    [think] Секунд на ход
    [bots] Соперников
    [pace] Они думают (мс)
    [letters] Буквы вместо ♠♥♦♣
    [four] У каждой масти свой цвет
    [light] Светлый терминал
    [bell] Сигнал, когда слово за мной
   *[other] { $field }
}
explain-preset = { $preset ->
    [trinka-classic] Тринька, как играют картами за столом: 24 карты, игра втёмную, свара со складчиной и уговором, пересдача на трёх десятках по желанию. Ниже можно изменить отдельные правила.
    [trinka-online] Тринька, как играли в сети: 24 карты, против тёмной смотревший платит вдвое, вскрытия закрытые, три шестёрки старше трёх тузов.
   *[seka] Сека: 36 карт, два туза — 22, вскрываются только последние двое, руки показывают. Проще всего начать с неё.
}
explain-field = { $field ->
    [table] Так стол называется в зале у друзей.
    [name] Как вас видят другие. Это только имя: кто вы, доказывает ваш ключ, и он не меняется вместе с именем.
    [seats] Сколько человек может сидеть. Опоздавшие садятся между конами.
    [begin] Первый кон начнётся сам, когда столько сядет; можно начать и клавишей F5.
    [buy-in] С чем каждый садится. Фишки — просто числа; что они значат, решаете вы.
    [think] Кто думает дольше, тот упал. «Ещё время» даёт 15 секунд.
    [pace] Сколько миллисекунд они будто бы думают перед ходом: 0 — сразу, 3000 — успеть всё прочесть.
    [bots] Программы, которые играют по тому же протоколу, у каждой свой ключ и свои доказательства.
    [letters] Если в шрифте нет знаков мастей или они занимают два знакоместа.
    [four] Пики обычным цветом, червы красным, бубны синим, трефы зелёным. Иначе красный и обычный.
    [light] Цвета, которые видно на светлом фоне.
   *[bell] Звонок терминала или уведомление (OSC 9), если терминал их показывает.
}
switch-name = { $switch ->
    [preset] Игра
    [deck] Карт в колоде
    [top_hand] Старшая рука
    [two_aces] Два туза стоят
    [triples] Другие три одного достоинства
    [three_tens] Три десятки
    [wild] Заменяющая карта
    [wild_copy] Ей можно повторить карту на руках
    [ante] Ставка в банк
    [opening_minimum] Наименьшая первая ставка
    [ceiling] Потолок одного платежа
    [missing_ante] Ставки в банк
    [dark] Игра втёмную
    [dark_chain] Сколько подряд могут темнить
    [open_pass] Против тёмной смотревший платит
    [compare_price] Цена вскрытия против тёмной
    [knock_out] Высокая ставка сбивает тёмную
    [look] Темнящий может смотреть
    [compare_from] Вскрываться можно
    [reveal] Кто видит вскрытые руки
    [compare_tie] Поровну при вскрытии
    [svara] Свара
    [boil] Варить по уговору
    [pool] Складчина
    [pact] Набздем
    [svara_dark] Темнить на сваре
    [entry_played] Вход для игравших
    [entry_newcomer] Вход для новичков
    [first_dealer] Первый сдающий
    [next_dealer] Следующий сдающий
    [exposed_card] Засвеченные карты
   *[other] { $switch }
}
value-name = { $value ->
    [on] да
    [off] нет
    [yes] да
    [no] нет
    [trinka-classic] тринька, классика
    [trinka-online] тринька, как в сети
    [seka] сека
    [aces] три туза
    [sixes] три шестёрки
    [none] нет
    [sum] сумма
    [above] старше любой масти
    [on_demand] пересдача по желанию
    [on_compare] пересдача при вскрытии
    [joker] джокер
    [shaha] шестёрка треф
    [ante] как ставка в банк
    [automatic] берёт программа
    [dealer_pays] по вопросу; недостающее платит сдающий
    [unlimited] сколько угодно
    [two] двое
    [same] столько же
    [double] вдвое
    [floor] не меньше двойной тёмной
    [fixed] темнивший — ровно тёмную
    [pass] как проход
    [after_first_circle] после первого круга
    [any_time] в любой момент
    [circle_one] когда сосед сходил
    [circle_two] когда сходили все
    [last_two] последним двоим
    [neighbours] эти двое
    [sealed] никто
    [open] все
    [both_stay] оба остаются
    [caller_loses] выбывает вскрывшийся
    [half] половина банка
    [third] треть банка
    [share] банк на число заваривших
    [full] весь банк
    [host] хозяин
    [lift] подъём на старшего
    [count] считалка до туза
    [random] жребий
    [winner] кто выиграл
    [rotate] следующий слева
    [bell] звонок
    [osc9] уведомление
   *[other] { $value }
}
value-antes = { $n ->
    [one] { $n } ставка в банк
    [few] { $n } ставки в банк
   *[other] { $n } ставок в банк
}

## Прошлые коны

history-hand = Кон { $hand } · { $names }
history-practice = тренировка
ago-minutes = { $n ->
    [0] только что
    [one] { $n } минуту назад
    [few] { $n } минуты назад
   *[other] { $n } минут назад
}
ago-hours = { $n ->
    [one] { $n } час назад
    [few] { $n } часа назад
   *[other] { $n } часов назад
}
ago-days = { $n ->
    [one] { $n } день назад
    [few] { $n } дня назад
   *[other] { $n } дней назад
}
history-title = Прошлые коны
history-detail = Этот кон
history-reading = Читаем …
history-none = Ни один кон ещё не доигран.

## Стол

head-hand = кон { $hand }
head-you-deal = сдаёте вы
head-unread = { $n ->
    [one] { $n } новое сообщение
    [few] { $n } новых сообщения
   *[other] { $n } новых сообщений
} [{ $key }]
head-muted = чат заглушён
head-sitting-out = пропускаю
wait-start = Начинаем …
wait-invite = Друзья в этой сети видят стол у себя в зале. Если не видят, пусть введут:
wait-begin = [{ $key }] — начать с теми, кто есть.
wait-fingerprint = Отпечаток вашего ключа: { $fingerprint }
between-hands = Между конами.
badge-dealer = (сдаёт)
seat-chips = { $n ->
    [one] { $n } фишка
    [few] { $n } фишки
   *[other] { $n } фишек
}
seat-away = не на связи
seat-dark = втёмную
seat-out = вне игры
seat-watching = ждёт следующего кона
bank-word = БАНК
price-is = проход { $price }
ceiling-is = потолок { $ceiling }
ceiling-none = потолка нет
word-is-yours = Ваше слово!
word-is-of = слово: { $name }
seconds-left = { $n } с
deal-shuffles = тасует { $name } …
deal-deals = Все стасовали. Сдаём …
deal-proved = доказано { $done } из { $all }
your-word = Ваше слово?
your-word-with = { $n ->
    [one] Ваше слово? У вас { $n } фишка.
    [few] Ваше слово? У вас { $n } фишки.
   *[other] Ваше слово? У вас { $n } фишек.
}
wait-ready-full = Ждём, пока остальные будут готовы.
own-stack = { $name }: { $n ->
    [one] { $n } фишка
    [few] { $n } фишки
   *[other] { $n } фишек
}
own-paid = В этом банке ваших: { $n }
own-out = Вы выбыли до конца кона.
own-watching = Вы играете со следующего кона.
own-looking-on = Вы смотрите со стороны.
own-dark = Вы играете втёмную.
own-unseen = Карты ещё не смотрели.
hand-name = { $hand ->
    [three-aces] три туза
    [three-sixes] три шестёрки
    [triple] три одинаковых
    [two-aces] два туза
    [three-tens] три десятки
    [trinka] три одной масти
    [suit] две одной масти
   *[high] старшая карта
}
log-title = Что было
mute-on = Чат заглушён: новые слова не отмечаются.
mute-off = Новые слова в чате снова отмечаются.
sitting-out = Со следующего кона вы пропускаете.
sitting-in = Вы снова играете.
leaving = Уходим, когда кон кончится …

## Что выбрано заранее

ahead-fold = Заранее: пас. Та же клавиша отменит.
ahead-call = Заранее: дальше за { $price }. Та же клавиша отменит.
ahead-compare = Заранее: вскрываюсь. Та же клавиша отменит.
ahead-hint = Можно заранее: [{ $fold }] пас · [{ $call }] дальше · [{ $compare }] вскрываюсь
ahead-dropped = Теперь проход { $price }: выбранное заранее не сделано. Решайте снова.

## Что сделано последним

la-call = дальше { $amount }
la-raise = повышаю { $amount }
la-dark = темню { $amount }
la-overdark = перетемню { $amount }
la-compare = вскрываюсь за { $amount }
la-enter = вхожу за { $amount }
la-other = { $kind ->
    [look] смотрю
    [fold] пас
    [redeal] пересдача!
    [boil] варим?
    [accept] да
    [refuse] нет
    [split] делим
    [no-split] не делим
    [enter] участвую
    [stay-out] мимо
    [cut] снимаю
    [lift] поднимаю
    [replace] заменить
    [ante] ставлю
    [omit] не ставлю
    [keep] оставить
    [expose] открываю карту
    [pool] складчина?
    [pact] набздем?
   *[other] { $kind }
}
show-out = Вскрытие: { $caller } и { $target }. Выбывает { $out }.
show-tie = Вскрытие: { $caller } и { $target }. Поровну, оба остаются.
show-hand = { $name }: { $cards }, { $points }
show-over = Кон { $hand } окончен: { $winners }.
show-lifted = Подняли на старшего: { $cards }
hold-hint = [{ $key }] следующий кон

## Что можно сделать

do-call = Дальше за { $amount }
do-raise = Повысить: { $min }–{ $max }
do-dark = Темнить: { $min }–{ $max }
do-compare = Вскрыться за { $amount }{ $with ->
    [none] {""}
   *[other] {","} сосед { $with }
}
do-fold = Пас
do-look = Смотреть карты
do-redeal = Открыть три десятки: пересдача
do-boil = Спросить: варим?
do-yes = Да
do-no = Нет
do-split = Делим банк
do-no-split = Не делим, играем
do-enter = { $price ->
    [0] Участвовать в сваре
   *[other] Войти в свару за { $price }
}
do-stay-out = Мимо
do-ante = Ставка в банк: { $amount }
do-omit = Не ставить
do-keep = Оставить карту
do-replace = Заменить ({ $min }–{ $max })
do-cut = Снять колоду ({ $min }–{ $max })
do-lift = Поднять на старшего ({ $min }–{ $max })
do-expose = Открыть карту
do-pool = Войти вскладчину с …
do-pact = Предложить набздем …
then-paid = останется { $stack }, банк { $bank }
then-raise = столько заплатят и другие
then-dark = не глядя в карты
then-fold = { $paid ->
    [0] карты никто не увидит
   *[other] вложенное пропадёт: { $paid }
}
then-free = бесплатно
q-admit = { $name } хочет сесть за стол. Ключ { $key }…

## Переспросить

sure-title = Точно?
sure-pay = { $amount } — больше половины ваших фишек ({ $stack }).
sure-leave = Уйти из-за стола?
sure-leave-hand = Уйти из-за стола? Вы в игре: на вашем ходу будет пас, и вложенное пропадёт: { $paid }.
ctrl-c-lobby = Ещё раз Ctrl-C — и программа закроется.
ctrl-c-table = Ещё раз Ctrl-C — и вы уйдёте из-за стола.
ctrl-c-hand = Вы в игре, в банке ваших { $paid }. Ещё раз Ctrl-C — и вы уйдёте; на вашем ходу будет пас.
ctrl-c-leaving = Уходим. Третий Ctrl-C закроет программу сразу.

## Почему сейчас нельзя

not-now = Сейчас ничего сделать нельзя.
not-your-turn = Слово не за вами, говорит { $name }.
only-these = Сейчас нельзя. Можно: { $choices }
why-no-dark = Темнить уже нельзя: кто посмотрел, поставил или упал, закрывает это право для следующих.
why-no-redeal = Для пересдачи нужны три десятки, и карты надо посмотреть.

## Окошки

amount-how-much = Сколько?
amount-limits = от { $min } до { $max }
amount-not = Столько нельзя.
amount-pool = Остальные { $rest } платит { $name }.
amount-preset = { $key ->
    [p] проход
    [x] вдвое
    [h] полбанка
   *[m] потолок
}
button-ok = сделать
button-back = назад
chat-title = Разговор
help-title = Как играть и все клавиши
help-intro =
    Стрелки выбирают, Enter делает; или нажмите клавишу в скобках. Каждый по очереди платит проход, повышает, падает (пас) или вскрывается с соседом справа: у кого очков меньше, тот выбыл. Очки — лучшая сумма в одной масти.
    Русская раскладка — те же клавиши.
help-keys = Другие клавиши: в файле настроек, ~/.config/trinka/config.toml, под [keys] строки вида fold = "F8". Названия — английские названия ходов и команд.
group-move = Ваше слово (предлагается только то, что можно)
group-table = За столом
group-lobby = В зале
group-everywhere = Везде
house-title = Правила этого стола (* — не как обычно)
house-propose = Предложить другие правила: { $key }, затем, например, «/предлагаю ante=2» или «/предлагаю seka». Действуют со следующего кона, если согласны все.
hint-title = Что старше и каковы шансы
proofs-title = Честность: доказательства этого кона
proofs-intro = Каждую строку ваша программа проверила сама; верить никому не пришлось. Время — от запроса до проверенного здесь доказательства.
proofs-none = В этом коне доказательств пока нет.
proofs-next = { $n ->
    [one] И ещё { $n } для следующей раздачи: её готовят заранее.
   *[other] И ещё { $n } для следующей раздачи: её готовят заранее.
}
proofs-table = Стол: { $id }
proofs-file = Запись кона: { $file }
proof-shuffle = Тасует { $name }; доказано: ни одной карты больше, ни одной меньше. { $ms } мс
proof-deal = Раздача полна и подписана всеми. Всего { $ms } мс
proof-shares = Ваши карты: остальные сняли свои слои, каждый с доказательством. { $ms } мс
proof-compared = { $caller } и { $target }: доказано, чья рука старше. { $ms } мс
proof-opened = { $name }: показаны те самые карты, что были сданы. { $ms } мс
proofs-keys = Отпечатки ключей; прочтите их друг другу:

## Подсказки внизу

hint-form = ↑↓ выбрать · ←→ изменить · или печатать · Enter на кнопке · Esc назад
hint-history = ↑↓ выбрать · Esc назад
hint-amount = Цифры или ↑↓ PgUp PgDn · Enter сделать · Esc назад
hint-players = ↑↓ выбрать · Enter сделать · Esc назад
hint-sure = Enter да · Esc нет
hint-text = Enter отправить · Esc назад
hint-chat = Enter отправить · с «/» начинается команда: /подсказка · Esc назад
hint-scroll = ↑↓ PgUp PgDn листать · другая клавиша закрывает

## Как называются команды

key-call = дальше
key-raise = повысить
key-dark = темню
key-look = смотрю
key-compare = вскрываюсь
key-fold = пас
key-redeal = пересдача (три десятки)
key-boil = варим
key-accept = да
key-refuse = нет
key-split = делим банк
key-no-split = не делим
key-enter = вхожу в свару
key-stay-out = мимо
key-pool = складчина
key-pact = набздем
key-cut = снять
key-lift = поднять
key-expose = открыть карту
key-keep = оставить карту
key-replace = заменить карту
key-ante = ставлю в банк
key-omit = не ставлю
key-chat = сказать
key-log = журнал
key-proofs = честность
key-house = правила
key-hint = подсказка
key-mute = заглушить чат
key-more-time = ещё время
key-rebuy = докупить
key-sit-out = пропускаю
key-start = начать
key-leave = уйти
key-join = сесть
key-make = новый стол
key-practise = тренировка
key-address = по адресу
key-history = прошлые коны
key-settings = настройки
key-quit = выход
key-help = помощь
key-ctrl-c = дважды — уйти

### Русский. Каждый ключ — функция в messages.rs, код в problem.rs или справка командной строки;
### тест сравнивает этот файл с английским.

## Имена и списки

you = { $name } (вы)
somebody = место { $seat }
points = { $n ->
    [one] { $n } очко
    [few] { $n } очка
   *[other] { $n } очков
}
chips = { $n ->
    [one] { $n } фишка
    [few] { $n } фишки
   *[other] { $n } фишек
}

## Что происходит

ev-hello = Отпечаток вашего ключа: { $fingerprint }. Слушаю { $listen }.
ev-found = Найден узел { $by ->
    [mdns] по mDNS
    [beacon] по маяку
   *[address] по адресу
}: { $address }.
ev-table = Стол «{ $name }»: { $preset }, ставка в банк { $ante }. { $seats }.
ev-table-more = «trinka rules { $rules }» или слово «правила» здесь расскажет их просто и полностью.
three-players = Втроём, если один пропал, двое других доигрывают, но одна лживая программа может рассказать двум другим разное{ $dark ->
    [on] , а играющий втёмную мог бы подсмотреть свои карты, если один из двоих поможет ему изменённой программой
   *[off] {""}
}. Чужих карт не увидит никто. Вчетвером и больше в одиночку этого не может ни одна программа.
ev-hand = Кон { $hand }. Сдаёт { $dealer }. { $seats }. Банк { $bank }.
ev-shuffled = { $name }: колода перетасована за { $ms } мс.
ev-dealt = Карты розданы за { $ms } мс.
ev-cards = Ваши карты: { $cards }, { $points ->
    [one] { $points } очко
    [few] { $points } очка
   *[other] { $points } очков
}.
ev-turn = Слово за игроком { $name } ({ $seconds } с).
ev-compared-out = { $caller } и { $target } вскрываются: выбывает { $out }.
ev-compared-tie = { $caller } и { $target } вскрываются: поровну, остаются оба.
ev-shown = { $name } показывает { $cards }.
ev-shown-to = { $name } показывает { $cards } (видят: { $to }).
ev-svara = Свара: { $seats }. Банк { $bank }, { $entry ->
    [0] вы входите бесплатно
   *[other] вход { $entry }
}.
ev-redeal = { $name } открывает три десятки: пересдача, банк остаётся.
ev-redeal-layer = Слой колоды потерян: пересдача, банк остаётся.
ev-settled = Кон { $hand } окончен: { $winners }. Фишки: { $stacks }.
ev-saved = Запись: { $file }
ev-again-missing = Кон { $hand } сдаётся заново: чья-то часть не пришла вовремя.
ev-again-false = Кон { $hand } сдаётся заново: чья-то часть неверна.
ev-again-lost-layer = Кон { $hand } сдаётся заново: слой колоды потерян. Банк остаётся.
ev-again-tied = Кон { $hand } тасуется заново: поднятые карты равны.
ev-fault-two-votes = { $name }: два разных голоса. Доказательство сохранено.
ev-fault-two-messages = { $name }: две разные части для одного места раздачи. Доказательство сохранено.
ev-fault-false-proof = { $name }: ложное доказательство. Оно сохранено.
ev-fault-absent = { $name }: нет ответа вовремя.
ev-away = { $name } больше не за столом.
ev-absent = Вы не ответили вовремя и пока не играете: чтобы играть дальше, введите «готов».
ev-left = Вы ушли из-за стола: у вас { $n ->
    [one] { $n } фишка
    [few] { $n } фишки
   *[other] { $n } фишек
}.
ev-back = { $name } снова с нами.
ev-cut = { $name } снимает на { $at }.
ev-lifted = { $name } поднимает { $cards }.
ev-counted = Считаем до первого туза: { $cards }. Сдаёт { $dealer }.
ev-exposed = { $name }: карта { $card } открыта.
ev-pool = { $name } держит карты за складчину: { $shares }.
ev-pact = Набздели { $names }: выигрыш любого из двоих пополам.
ev-advice = { $name } советует: { $text }
ev-closed = { $name } закрывает стол. Банк { $bank } ждёт новой встречи.
ev-say = { $name }: { $text }
ev-error = { $message } { $advice }
wins = { $name } берёт { $amount }
has = { $name } { $amount }

## Чего ждёт стол

wait-players = Ждём ещё игроков.
wait-host = Ждём, когда хозяин начнёт.
wait-founding = Ждём подписей под основанием стола.
wait-ready = Ждём, кто играет: введите «готов» или «пропускаю».
wait-dealer = Ждём сдающего.
wait-deal = Ждём раздачи.
wait-shares = Ждём долей карты.
wait-quorum = Без остальных ничего нельзя решить. Стол ждёт их: они вернутся по «trinka join». Или закройте его как есть: «закрыть»; когда они вернутся, «разделить» закончит кон.
wait-unheard = Нет связи: { $names }. Через полминуты стол пойдёт дальше без них; места и фишки сохраняются.
wait-heard = Все за столом снова на связи.
wait-table = Ищем стол.
wait-leaving = Ждём, пока у остальных всё будет.
wait-for = (Кого: { $names }.)

## Что предлагают

of-boil = { $name } спрашивает: варим?
of-three-tens = Открывает ли кто-нибудь три десятки?
of-split = Делим банк?
of-pool = { $name } предлагает войти вскладчину: { $shares }.
of-pact = { $name } предлагает: набздем? Выигрыш любого из двоих пополам.
of-expose = Кто хочет получить первую карту открытой, может сказать об этом сейчас.
of-exposed = Карта открыта: оставить или заменить?
of-admit = { $name } теперь за столом, с ключом { $fingerprint }, и играет со следующего кона. Если это точно { $name }, пусть решает вместе со всеми: впустить { $short }
of-unfreeze = Можно ли игроку { $name } играть снова?
of-rules = { $name } предлагает другие правила: { $changes }. Согласиться: согласен-с-правилами; отказаться: против-правил
of-rules-agreed = { $name } — за другие правила: { $changes }. { $waiting ->
    [0] Согласны все: они действуют со следующей раздачи
   *[other] Ещё не ответили: { $names }
}.
of-rules-adopted = Со следующей раздачи действуют другие правила: { $changes } (предложение игрока { $name }).
of-rules-refused = { $name } — против других правил ({ $changes }): остаются прежние.
of-rules-lapsed = Предложение игрока { $name } о других правилах ({ $changes }) больше не действует.
of-divide = { $name } предлагает закончить кон на этом и разделить банк ({ $bank }) поровну между теми, кто ещё в игре. Нужно согласие всех. Согласиться: разделить; отказаться: не-разделять
of-divide-agreed = { $name } — за то, чтобы разделить банк. { $waiting ->
    [0] Согласны все
   *[other] Ещё не ответили: { $names }
}.
of-divide-refused = { $name } — против того, чтобы делить банк: кон продолжается.

## Что сделано

mv-call = { $name }: дальше, { $amount }. Банк { $bank }.
mv-raise = { $name }: повышаю, { $amount }. Банк { $bank }.
mv-dark = { $name }: темню, { $amount }. Банк { $bank }.
mv-overdark = { $name }: перетемню, { $amount }. Банк { $bank }.
mv-look = { $name }: смотрю.
mv-fold = { $name }: пас.
mv-compare = { $name }: вскрываюсь, { $amount }. Банк { $bank }.
mv-redeal = { $name }: пересдача.
mv-boil = { $name }: варим?
mv-accept = { $name }: да.
mv-refuse = { $name }: нет.
mv-split = { $name }: делим.
mv-no-split = { $name }: не делим.
mv-enter = { $name }: вхожу в свару, { $amount }. Банк { $bank }.
mv-stay-out = { $name }: мимо.
mv-cut = { $name }: снимаю.
mv-lift = { $name }: поднимаю.
mv-replace = { $name }: заменить.
mv-ante = { $name }: ставка в банк, { $amount }. Банк { $bank }.
mv-omit = { $name }: не ставлю.
mv-keep = { $name }: оставить.
mv-expose = { $name }: открываю карту.
mv-pool = { $name }: предлагаю складчину.
mv-pact = { $name }: набздем?

## Мой ход. Слова те же, что можно ввести.

ask = Ваше слово? { $choices } ({ $seconds } с)
ch-call = дальше { $amount }
ch-raise = повысить { $min }–{ $max }
ch-raise-one = повысить { $amount }
ch-dark = темню { $min }–{ $max }
ch-dark-one = темню { $amount }
ch-look = смотрю
ch-fold = пас
ch-compare = вскрываюсь { $amount }
ch-compare-free = вскрываюсь
ch-redeal = пересдача
ch-boil = варим
ch-accept = да
ch-refuse = нет
ch-split = делим
ch-no-split = не-делим
ch-enter = вхожу
ch-stay-out = мимо
ch-cut = снять { $min }–{ $max }
ch-lift = поднять { $min }–{ $max }
ch-replace = заменить { $min }–{ $max }
ch-ante = ставлю
ch-omit = не-ставлю
ch-keep = оставить
ch-expose = открыть ИМЯ
ch-pool = складчина ИМЯ ФИШКИ ИМЯ ФИШКИ …
ch-pact = набздем ИМЯ

## Стол как есть

st-nothing = Стола ещё нет.
st-table = Стол «{ $name }», между конами.
st-hand = Кон { $hand }, сдаёт { $dealer }, банк { $bank }.
st-seat = { $name }: { $stack ->
    [one] { $stack } фишка
    [few] { $stack } фишки
   *[other] { $stack } фишек
}
st-turn = слово за этим игроком
st-out = вне игры до конца кона
st-watching = в этом коне не играет
st-dark = играет втёмную
st-away = не за столом
st-unheard = нет связи
st-cards = Ваши карты: { $cards }, { $points ->
    [one] { $points } очко
    [few] { $points } очка
   *[other] { $points } очков
}.
ht-turn =
    Когда слово за вами:
      дальше            заплатить проход и остаться
      повысить 7        заплатить больше прохода (ставлю 7: ровно 7)
ht-dark = {"  "}темню 2           ставка, не глядя в карты; «смотрю» это прекращает
ht-look = {"  "}смотрю            посмотреть карты
ht-compare = {"  "}вскрываюсь        заплатить и сравнить карты с соседом справа
ht-fold = {"  "}пас               бросить карты
ht-cut = снять 7
ht-lift = поднять 3
ht-replace = заменить 5
ht-any =
    В любое время:
      подсказка         что кого бьёт и каковы ваши шансы
      стол              кто сидит, фишки, банк, чьё слово
      скажи ТЕКСТ       сказать что-нибудь столу
      готов · пропускаю играть следующий кон или нет
      докупить 100      докупить фишек
      время             ещё 15 секунд на этот ход
      правила           правила этого стола простыми словами
      разделить         закончить кон на этом и разделить банк, если все за
      закрыть           закрыть как есть стол, за который остальные не вернутся
      предлагаю dark=off другие правила со следующего кона, если все за
      начать            хозяин: начать с теми, кто есть
      уйти              уйти, когда кон кончится
      помощь            этот список
    Английские слова тоже годятся, и забытая раскладка клавиатуры тоже.

## Подсказки и ответы на команды

hint-cards = У вас { $cards }: { $points ->
    [one] { $points } очко
    [few] { $points } очка
   *[other] { $points } очков
}.
hint-unseen = Своих карт вы не видели: они не лучше и не хуже чужих.
hint-chance = Против { $others ->
    [1] одного соперника
    [one] { $others } соперника
   *[other] { $others } соперников
} вы впереди примерно в { $percent } случаях из 100.
hint-price = Остаться стоит { $price }, в банке { $bank }: в среднем это окупается начиная с { $percent } из 100.
hint-compare = Вскрываться вам с игроком { $name }, и решают тогда только ваши две руки.
hint-alone = Соперников у вас не осталось.
hint-none = Карты ещё не розданы.
ack-time = Просим ещё 15 секунд.
ack-leave = Вы уйдёте, когда кон кончится, с теми фишками, что у вас тогда будут (сейчас { $n }). Кто вернётся, начнёт заново с закупки; для перерыва есть «пропускаю».
ack-ready = Следующий кон вы играете.
ack-admit = Принято: { $name } решает вместе со всеми.
ack-rebuy-waits = Принято: { $n } докупятся, когда кон кончится.
ack-sit-out = Со следующего кона вы пропускаете; вернуться — «готов».

## Команды, которые отчитываются

demo-begin = { $players ->
    [one] { $players } игрок
    [few] { $players } игрока
   *[other] { $players } игроков
}, { $hands ->
    [one] { $hands } кон
    [few] { $hands } кона
   *[other] { $hands } конов
}: каждый игрок — отдельный процесс.
demo-found-mdns = Узлы нашли друг друга по mDNS, всего { $players }.
demo-found-beacon = Узлы нашли друг друга по маяку на этой машине, всего { $players }.
demo-hand = Кон { $hand }, роздан за { $ms } мс: { $winners }.
demo-names = Анна, Борис, Вера, Глеб, Даша, Егор, Жанна, Илья, Катя, Лев
demo-no-lan = У этой машины нет сети: узлы ищут друг друга по маяку внутри неё.
demo-not-found = За { $seconds } секунд по mDNS нашлись не все. Ещё раз, по маяку внутри машины.
demo-differ = О коне { $hand } узлы говорят разное.
demo-chips = В коне { $hand } фишки появились или пропали.
demo-kind = { $kind ->
    [dark] тёмных ставок
    [overdark] перетемнили
    [knock_out] тёмная игра сбита
    [tie] ничьих
    [svara] свар
    [boil] сварили
    [split] разделили банк
    [entry] вошли в свару
    [newcomer] новичков
    [pool] вскладчину
    [pact] набздем
    [redeal] пересдач
    [short_stack] не хватило фишек
    [compare] вскрытий
    [exposed] открытых карт
    [lift] поднято карт
   *[other] { $kind }
} { $count }
demo-stacks = Фишки: { $stacks }.
demo-agree = Журнал у всех один и тот же, узлов: { $players }.
demo-disagree = Узлы не согласны между собой.
demo-verified = Проверено записей: { $verified } из { $all }.
demo-deal-times = Раздача занимала { $least }–{ $most } мс.
demo-met = Встретилось: { $kinds }.
demo-kept = Каталоги данных оставлены в { $dir }.
demo-short = Доиграно только { $hands } из { $asked ->
    [one] { $asked } кона
   *[other] { $asked } конов
}.
verify-ok = { $file }: кон { $hand }, всё сходится.
verify-counts = { $messages ->
    [one] { $messages } сообщение
    [few] { $messages } сообщения
   *[other] { $messages } сообщений
}, { $shuffles ->
    [one] { $shuffles } тасовка
    [few] { $shuffles } тасовки
   *[other] { $shuffles } тасовок
}, { $shares ->
    [one] { $shares } доля
    [few] { $shares } доли
   *[other] { $shares } долей
}, { $hand_proofs ->
    [one] { $hand_proofs } доказательство руки
    [few] { $hand_proofs } доказательства руки
   *[other] { $hand_proofs } доказательств руки
}, { $signatures ->
    [one] { $signatures } подпись
    [few] { $signatures } подписи
   *[other] { $signatures } подписей
}.
verify-result = Итог: { $winners }.
verify-rejected = { $file }: ОТВЕРГНУТО, { $part }.
verify-where-entry = Запись журнала { $height }.
verify-where-message = Сообщение { $message }.
verify-where-seat = Автор: место { $seat }.
verify-reason = Причина: { $reason }
verify-seat = Место { $seat }: { $name }, ключ { $fingerprint }, фишек { $before } до, { $after } после
verify-seat-left = Место { $seat }: { $name }, ключ { $fingerprint }, фишек { $before } до; встаёт из-за стола с { $after }
rank-named = { $points } · { $hand }: уровень { $level } (выигрывает больший уровень; обычно он равен очкам)
verify-skipped = Стол заверил, что ход пропущен: { $name } (запись журнала { $height }).
verify-split = поделили { $names }, всего { $amount }
verify-summary = Сходятся записей: { $good } из { $all }.
part-header = в начальном состоянии
part-founding = в основании стола
part-deal = в сообщении раздачи
part-entry = в записи журнала
part-certificate = в удостоверении
part-signature = в подписи того, кто писал файл
part-private = в личной части
part-end = после конца
why-damaged = байты изменены
why-short = файл обрывается посередине, или изменена длина
why-kind = на этом месте стоит другое
why-signature = подпись не сходится
why-end = что-то добавлено
why-not-after = он не продолжает предыдущий кон
why-not-before = следующий кон его не продолжает
why-not-one = это не запись кона; они кончаются на .trinka и лежат в «transcripts» каталога данных
verify-forked = { $file }: на высоте { $height } решены две записи. На этом стол закончен.
verify-two-ways = { $name } голосует и так и этак.
verify-suspended = Здесь стол закрыт; банк { $bank } ничей, пока партия не продолжится.
verify-evidence = { $file }: всё сходится, и это доказывает, что { $name } жульничает.
verify-named-votes = { $name } жульничает: два разных голоса в одном раунде (доказано в записи { $height }).
verify-named-messages = { $name } жульничает: две разные части на одно место раздачи (доказано в записи { $height }).
verify-named-proof = { $name } жульничает: ложное доказательство (показано в записи { $height }).
verify-unfinished = { $file }: кон { $hand } здесь не окончен.
export-short = Протокол кончается раньше кона; почему, сказано в его последней строке.
verify-keys-only = Это доказывает, что согласились эти ключи, но не то, чьи они.
tables-none = За { $seconds ->
    [one] { $seconds } секунду
    [few] { $seconds } секунды
   *[other] { $seconds } секунд
} ни одного стола не нашлось.
tables-some = { $n ->
    [one] Рядом { $n } стол:
    [few] Рядом { $n } стола:
   *[other] Рядом { $n } столов:
}
tables-line = «{ $name }»: { $rules }. Игроки: { $players }. Свободно мест: { $free } из { $seats }.
tables-playing = (идёт игра)
tables-join = { "  " }trinka join { $id }    адреса: { $addresses }
id-show =
    Отпечаток: { $fingerprint }
    Ключ: { $key }
    Хранится в: { $dir }
short-help =
    trinka: тринька и сека, карточные игры для друзей в одной сети.

      trinka host Кухня      открыть стол
      trinka join            сесть за единственный стол рядом
      trinka practice        поиграть с ботами на этой машине
      trinka demo            посмотреть, как играют боты, и проверить все записи

    trinka --help покажет всё.
practice-table = Тренировка
bot-name = { $name }-бот
verify-missing = Среди конов, которые записал { $owner }, здесь не хватает: { $hands }.
man-name = Имя
man-synopsis = Вызов
man-exit = Коды возврата
man-exit-codes =
    0: всё хорошо
    1: что-то не удалось
    2: ошибка в командной строке
    3: доказательство или запись отвергнуты
    4: стол прерван
    130, 143: остановлено сигналом
usage-heading = Вызов:
commands-heading = Команды
arguments-heading = Аргументы
options-heading = Параметры
global-heading = Параметры любой команды
examples-heading = Примеры:

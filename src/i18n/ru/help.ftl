### Русский: справка командной строки.

## Справка командной строки: help-КОМАНДА-about, -examples и по одной на каждый аргумент

help-about = Тринька и сека, карточные игры для друзей в одной сети: без сервера, верить никому не надо.
help-examples =
    {"  "}trinka host Кухня --rules trinka-classic      открыть стол
    {"  "}trinka join Кухня                             сесть за него
help-data = где хранить ключ, столы и записи (или TRINKA_DATA; иначе обычное место системы)
help-config = файл с настройками (или TRINKA_CONFIG; иначе trinka/config.toml в обычном месте настроек)
help-name = ваше имя за столом
help-lang = язык: ru или en (иначе по настройкам системы)
help-ui = экран: full (весь терминал), plain (строка на событие), json (для скриптов); без него — по терминалу
help-bot = за это место играет программа: careful (осторожно, обычно), bold (смело) или random (наугад)
help-listen = адрес, на котором слушать, с портом или без
help-peer = адрес узла, с которым связаться, кроме найденных; можно несколько раз
help-no-mdns = не искать других по mDNS
help-beacon = маяки кроме mDNS: off (нет), auto (обычно), loopback (только эта машина) или broadcast
help-bot-seed = зерно случайности бота
help-pace = сколько миллисекунд боты будто бы думают (700, если играют с вами, иначе 0)
help-leash = закончить, как только кончится стандартный ввод
help-no-color = писать без цвета (как при NO_COLOR)
help-verbose = подробнее вести журнал; дважды — ещё подробнее
help-help = эта справка
help-version = версия
help-host-about = Открывает стол.
help-host-examples =
    {"  "}trinka host Кухня
    {"  "}trinka host Чердак --rules seka --ante 2 --set ceiling=50 --min-players 4
help-host-table = имя стола
help-host-preset = правила: trinka-classic (обычно), trinka-online, seka или файл из «trinka rules --toml»
help-host-set = домашнее правило, которое отличается, например ceiling=50; можно несколько раз
help-host-seats = сколько мест (обычно сколько позволяет колода)
help-host-buy-in = с чем каждый садится, в фишках (обычно 100 ставок в банк)
help-host-ante = ставка в банк до раздачи (обычно 1)
help-host-think = секунд на ход (обычно 60)
help-host-hands = закончить после стольких конов
help-host-min-players = начать, когда сядут столько, считая ботов (обычно 2; с ботами — когда сядут все они)
help-host-bots = сколько ботов этой машины сядут за стол (обычно 0)
help-join-about = Садится за стол.
help-join-examples =
    {"  "}trinka join
    {"  "}trinka join Кухня --name Анна
help-join-table = имя, номер или адрес стола; без этого единственный, который есть
help-practice-about = Игра с ботами на этой машине; в сеть ничего не уходит.
help-practice-examples =
    {"  "}trinka practice
    {"  "}trinka practice --bots 5 --rules seka --pace 1500
help-practice-bots = сколько ботов (обычно 3)
help-practice-preset = правила: trinka-classic (обычно), trinka-online, seka или файл из «trinka rules --toml»
help-practice-set = домашнее правило, которое отличается, например ceiling=50; можно несколько раз
help-practice-buy-in = с каким числом фишек садится каждый (обычно 100 ставок в банк)
help-practice-ante = сколько каждый ставит в банк до раздачи (обычно 1)
help-practice-think = секунд на ход (обычно 300)
help-practice-hands = закончить после стольких конов
help-tables-about = Показывает столы рядом.
help-tables-examples =
    {"  "}trinka tables
    {"  "}trinka tables --wait 10 --json
help-tables-wait = сколько секунд искать (обычно 3)
help-tables-json = в виде JSON
help-demo-about = Боты играют, каждый в своём процессе, и каждая запись проверяется.
help-demo-examples =
    {"  "}trinka demo
    {"  "}trinka demo --players 6 --hands 10 --local --json
help-demo-players = сколько игроков, от 2 до 10 (обычно 4)
help-demo-hands = сколько конов (обычно 3)
help-demo-late = столько игроков сядут за стол после первой сдачи (обычно 0)
help-demo-preset = правила: trinka-classic (обычно), trinka-online, seka или файл из «trinka rules --toml»
help-demo-set = домашнее правило, которое отличается, например ceiling=50; можно несколько раз
help-demo-local = оставаться на этой машине: в сеть ничего не уходит
help-demo-json = один объект JSON в конце вместо строк
help-demo-keep = оставить каталоги данных здесь
help-demo-seed = зерно случайности ботов
help-verify-about = Переигрывает записи с нуля и говорит, всё ли в них сходится.
help-verify-examples =
    {"  "}trinka verify hand-7.trinka
    {"  "}trinka verify --json transcripts/*.trinka
help-verify-files = записи
help-verify-json = по объекту JSON на файл
help-history-about = Сыгранные коны.
help-history-examples =
    {"  "}trinka history export hand-7.trinka
    {"  "}trinka history export --public --out hand-7.txt hand-7.trinka
help-history-export-about = Проверяет запись кона и излагает его протоколом, который переигрывает «trinka referee».
help-history-export-examples =
    {"  "}trinka history export --format referee hand-7.trinka
    {"  "}trinka history export --public --out hand-7.txt hand-7.trinka
help-history-export-file = запись кона
help-history-export-format = referee (обычно): протокол для «trinka referee»
help-history-export-public = только то, что видели все; ваши карты в него не попадут
help-history-export-expect = после каждого хода писать, как обстоят дела
help-history-export-out = записать в этот файл
help-rules-about = Рассказывает правила простыми словами.
help-rules-examples =
    {"  "}trinka rules trinka-online
    {"  "}trinka rules seka --set deck=32 --toml
help-rules-preset = trinka-classic (обычно), trinka-online, seka или файл правил
help-rules-rules = то же, что аргумент, для тех, кто привык к --rules
help-rules-set = домашнее правило, которое отличается, например ceiling=50; можно несколько раз
help-rules-toml = файлом TOML, который можно править, для --rules
help-rank-about = Говорит, сколько стоит рука.
help-rank-examples =
    {"  "}trinka rank Т♠ 10♠ 9♠
    {"  "}trinka rank --rules seka --json Kh Kd Ks
help-rank-cards = три карты, например Т♠ 10♠ 9♠ или As Ts 9s
help-rank-preset = правила: trinka-classic (обычно), trinka-online, seka или файл из «trinka rules --toml»
help-rank-set = домашнее правило, которое отличается, например triples=sum; можно несколько раз
help-rank-json = по объекту JSON на руку
help-rank-stdin = читать руки со стандартного ввода, по одной в строке, и отвечать на каждую строкой
help-referee-about = Разрешает спор: переигрывает кон по протоколу и проверяет, что в нём ожидалось.
help-referee-examples =
    {"  "}trinka referee dispute.txt
    {"  "}trinka referee --json dispute.txt
help-referee-file = протокол; - значит стандартный ввод
help-referee-json = последнее состояние одним объектом JSON
help-completions-about = Пишет дополнения команд для оболочки.
help-completions-examples =
    {"  "}trinka completions bash   > ~/.local/share/bash-completion/completions/trinka
    {"  "}trinka completions fish   > ~/.config/fish/completions/trinka.fish
help-completions-shell = bash, zsh или fish
help-man-about = Пишет страницу руководства.
help-man-examples =
    {"  "}trinka man   > trinka.1
    {"  "}trinka man --lang ru   | man -l -
help-id-about = Показывает отпечаток вашего ключа.
help-id-examples =
    {"  "}trinka id
    {"  "}trinka id show
help-id-show-about = Показывает отпечаток вашего ключа.
help-id-show-examples =
    {"  "}trinka id show
    {"  "}trinka id show --data DIR

import type { FillerLanguage } from './fillers.ts'

const split = (words: string) => words.trim().split(/\s+/)

// None of these people and places are in the labelled sets.
const people = split(`
Abigail Ahmed Alba Amara Amelie Andrei Anton Aria Astrid Bao Bjorn Bruno Cecilia
Chidi Damian Daria Diego Dora Edgar Elena Elif Emil Esther Fatima Felix Fiona
Gabor Gloria Hamza Hanna Harriet Hassan Ida Igor Ines Isak Ivan Jana Joel Jorge
Julia Kai Kamal Karim Katya Kofi Lars Leila Lena Liam Lotte Luca Maja Malik Maria
Marta Mikael Milan Mina Nils Nora Olga Omar Oscar Paula Pedro Petra Quentin Rafael
Rita Robin Roman Rosa Samir Sara Selma Silas Stella Tamara Teresa Tobias Ursula
Valentin Vera Viktor Wanda Xenia Yara Yves Zacharias Zelda Zoran`)

const cities = split(`
Antwerp Athens Bari Basel Bergen Bilbao Bologna Bristol Brno Cardiff Cork Cracow
Derby Dijon Essen Exeter Fulda Galway Gdansk Genoa Ghent Graz Halle Ipswich Jena
Kiel Leeds Liege Linz Lyon Malmo Metz Namur Nantes Odense Ostrava Padua Pisa
Plzen Reims Riga Rouen Split Tallinn Tampere Trieste Turin Uppsala Verona Vigo`)

const services = split(`
atlas beacon cedar delta ember falcon garnet harbor indigo jasper kestrel lumen
maple nimbus onyx pelican quartz raven saffron tundra umber violet willow zephyr`)

export const englishFillers: FillerLanguage = {
  templates: [
    '{who} is allergic to {food} and told the kitchen about it.',
    '{who} prefers {drink} over {drink} at work meetings.',
    'The key of the flat in {city} is with {who} until {month}.',
    'The {service} service is restarted on {day}s by {who}.',
    'The backup of {service} number {n} runs from {city} at night.',
    "{who}'s birthday is in {month}; {who} organises the present.",
    'The doctor told {who} to avoid {food} for {n} days.',
    '{who} moved from {city} to {city} in {month}.',
    'Tickets of customer {n} in {city} go to {who}.',
    'The rent for unit {n} in {city} is paid by {who}.',
    'Tokens of {service} expire after {n} days.',
    'The insurance of car {n} belongs to {who} from {city}.',
    '{who} takes the train to {city} every {day}.',
    'Payment {n} was signed by {who} in {month}.',
    'The passport of {who} was renewed in {city} in {month}.',
    '{who} and {who} eat lunch together on {day}s in {city}.',
    'The meter in building {n} is read by {who} in {month}.',
    'Invoice {n} for {city} was sent to {who} on a {day}.',
    'The code review of {service} change {n} is done by {who}.',
    '{who} plays tennis on {day}s and swims in {month}.',
    'The gate at site {n} in {city} is opened by {who}.',
    'Cat number {n} of {who} gets {food} for breakfast.',
  ],
  words: {
    who: people,
    city: cities,
    service: services,
    food: split(
      'peanuts shrimp celery mustard soy sesame wheat honey lupin kiwi apples tomatoes garlic onions eggs',
    ),
    drink: split('tea espresso cider water lemonade cocoa juice kefir cola'),
    month: split(
      'January February March April May June July August September October November December',
    ),
    day: split('Monday Tuesday Wednesday Thursday Friday Saturday Sunday'),
  },
}

export const germanFillers: FillerLanguage = {
  templates: [
    '{who} verträgt keine {food} und sagt das in jedem Restaurant.',
    '{who} trinkt morgens lieber {drink} als {drink}.',
    'Der Schlüssel für die Wohnung in {city} liegt bis {month} bei {who}.',
    'Der Dienst {service} wird {day}s von {who} neu gestartet.',
    'Die Sicherung von {service} Nummer {n} läuft nachts in {city}.',
    '{who} hat im {month} Geburtstag, {who} besorgt das Geschenk.',
    'Der Arzt hat {who} Tabletten für {n} Tage verschrieben.',
    '{who} ist im {month} von {city} nach {city} umgezogen.',
    'Die Miete für Objekt {n} in {city} zahlt {who}.',
    'Der Vertrag Nummer {n} mit {who} läuft im {month} aus.',
    'Der Müll von Haus {n} in {city} wird {day}s abgeholt.',
    'Die Katze Nummer {n} von {who} bekommt {food} als Futter.',
    '{who} lernt seit {month} Spanisch in {city}.',
    'Die Garantie für Gerät {n} endet im {month}.',
    'Der Drucker {n} in {city} braucht neues Papier, sagt {who}.',
    '{who} wohnt mit {who} in {city}.',
    'Die Steuererklärung {n} von {who} ist im {month} fällig.',
    'Zu Weihnachten schenkt {who} {who} etwas aus {city}.',
    'Die Schnittstelle {service} erlaubt {n} Anfragen.',
    '{who} fährt {day}s mit dem Zug nach {city}.',
  ],
  words: {
    who: people,
    city: cities,
    service: services,
    food: split(
      'Erdnüsse Garnelen Sellerie Senf Sojabohnen Sesam Weizen Honig Kiwis Äpfel Tomaten Zwiebeln Eier',
    ),
    drink: split('Tee Espresso Saft Wasser Limonade Kakao Kefir Schorle'),
    month: split(
      'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    ),
    day: split('montag dienstag mittwoch donnerstag freitag samstag sonntag'),
  },
}

export const japaneseFillers: FillerLanguage = {
  templates: [
    '{who}さんは{food}アレルギーがあります。',
    '{who}さんは朝はいつも{drink}を飲みます。',
    '{city}の部屋の鍵は{who}さんが{month}まで預かっています。',
    '{service}サーバー{n}号のバックアップは{day}に取ります。',
    '{who}さんは{month}に{city}から{city}へ引っ越しました。',
    '{who}さんの誕生日のお祝いは{month}に{city}でします。',
    '{city}の家賃{n}号は{who}さんが払います。',
    '{service}環境の再起動は{who}さんに聞きます。',
    '医者は{who}さんに薬を{n}錠出しました。',
    '{who}さんは{day}に{city}の教室へ通っています。',
    '{city}の倉庫{n}番の担当は{who}さんです。',
    '{who}さんのパスポートは{month}に{city}で作りました。',
    '支払い{n}番は{who}さんが{month}に承認しました。',
    '{city}の事務所の保険は{who}さんに頼みます。',
    '{who}さんと{who}さんの弁当は{day}に{n}個です。',
    '{city}の電気の契約{n}番は{month}に終わります。',
    '{city}銀行への返事は{who}さんが{day}にします。',
    '{service}のリリース{n}番は{day}に公開します。',
  ],
  words: {
    who: split(
      '相川 青木 秋山 浅野 荒井 安藤 飯田 池田 石井 伊藤 今井 岩崎 上田 上野 内田 大野 大塚 小川 小野 片山 加藤 金子 川口 菊地 木村 工藤 久保 近藤 酒井 桜井 島田 杉山 鈴木 関 千葉 土屋 中島 永井 中川 成田 野口 橋本 服部 原田 樋口 平野 福田 星野 前田 増田 松井 三浦 宮崎 村上 柳 横山 吉田 和田',
    ),
    city: split(
      '仙台 新潟 金沢 静岡 浜松 岐阜 大津 奈良 神戸 岡山 広島 高松 松山 高知 長崎 熊本 大分 宮崎 秋田 盛岡 青森 山形 水戸 千葉 甲府 長野 富山 福井',
    ),
    service: split(
      'アトラス ビーコン シダー デルタ ファルコン ルーメン ニンバス レイブン',
    ),
    food: split('小麦 蕎麦 落花生 海老 蟹 牛乳 大豆 胡麻 桃 林檎 鯖 鮭'),
    drink: split('緑茶 紅茶 牛乳 麦茶 水 ココア 味噌汁'),
    month: split(
      '一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月',
    ),
    day: split('月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日'),
  },
}

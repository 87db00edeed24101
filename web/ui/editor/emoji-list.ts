/** The emoji of the picker: each with its name, as in `:smile:`, and further words by which it is found. */

const LIST = `
😀 grinning happy smile face|😃 smiley happy joy|😄 smile happy laugh|😁 grin teeth happy|😆 laughing haha|😅 sweat_smile relief nervous
😂 joy tears laugh lol|🤣 rofl laugh rolling|🙂 slight_smile friendly|😉 wink|😊 blush happy shy|😇 innocent angel
😍 heart_eyes love|🥰 loved hearts affection|😘 kiss love|😋 yum tasty delicious|😜 tongue joke crazy|🤗 hug
🤔 thinking hmm wonder|🤨 raised_eyebrow doubt|😐 neutral meh|😏 smirk|🙄 eye_roll annoyed|😬 grimace awkward
😌 relieved calm|😴 sleeping tired zzz|😷 mask sick|🤒 ill fever sick|🤯 mind_blown shocked|🥳 party celebrate birthday
😎 cool sunglasses|🤓 nerd glasses|😕 confused|😟 worried|🙁 frown sad|😮 surprised wow oh
😳 flushed embarrassed|🥺 pleading please|😢 cry sad tear|😭 sob crying sad|😱 scream fear|😞 disappointed sad
😓 sweat hard|😩 weary tired|😤 huff proud steam|😡 angry rage mad|🤬 swearing angry|💩 poop
👻 ghost halloween|🤖 robot|👋 wave hello bye|✋ hand stop high_five|👌 ok perfect|✌️ victory peace
🤞 fingers_crossed luck|👍 thumbsup +1 yes good like|👎 thumbsdown -1 no bad|👏 clap applause bravo|🙌 raised_hands hooray|🙏 pray thanks please
🤝 handshake deal agreed|💪 muscle strong|👀 eyes look|✍️ writing sign|👇 point_down below|👉 point_right
👆 point_up above|🧠 brain|👤 person user|👥 people team|👶 baby|👩‍💻 developer computer work
❤️ heart love red|🧡 orange_heart|💛 yellow_heart|💚 green_heart|💙 blue_heart|💜 purple_heart
🖤 black_heart|💔 broken_heart sad|💯 hundred perfect|💥 boom explosion|✨ sparkles new magic|⭐ star favourite
🔥 fire hot lit|⚡ lightning fast power|💧 drop water|🌈 rainbow|☀️ sun weather|⛅ cloudy weather
🌧️ rain weather|❄️ snow cold winter|🌍 earth world globe|🌙 moon night|🌱 seedling grow plant|🌳 tree
🍀 clover luck|🌹 rose flower|🌻 sunflower flower|💐 bouquet flowers|🐶 dog|🐱 cat
🐭 mouse|🦊 fox|🐻 bear|🐝 bee|🐛 bug insect|🦋 butterfly
🐟 fish|🦄 unicorn|🍎 apple fruit|🍋 lemon|🍓 strawberry|🍞 bread
🧀 cheese|🍕 pizza|🍔 burger|🥗 salad|🍰 cake dessert|🎂 birthday cake
🍪 cookie|🍫 chocolate|☕ coffee tea|🍵 tea|🍺 beer|🍷 wine
🥂 cheers toast|🍽️ dinner meal lunch|🎉 tada party celebrate congratulations|🎈 balloon|🎁 gift present|🏆 trophy win
🥇 medal first|⚽ football soccer|🏃 running sport|🚴 cycling bike|🎵 music note|🎨 art paint
🎬 film movie|📷 camera photo|🚗 car|🚌 bus|🚆 train|✈️ plane flight travel
🚀 rocket launch ship|⛵ boat sail|🏠 house home|🏢 office building|🏥 hospital|🏖️ beach holiday
⛰️ mountain|🗺️ map|⏰ alarm clock|⏳ hourglass wait|📅 calendar date|📌 pin
📎 paperclip attachment|✏️ pencil edit|📝 memo note|📖 book read|📚 books|📁 folder
📊 chart bar statistics|📈 chart_up growth|📉 chart_down|💰 money|💶 euro money|💳 card pay
🧾 receipt invoice|✉️ envelope mail letter|📧 email mail|📬 mailbox|📞 phone call|📱 mobile phone
💻 laptop computer|🖨️ printer|💡 idea bulb light|🔑 key|🔒 lock secure|🔓 unlock
🔧 wrench tool fix|🔨 hammer build|⚙️ gear settings|🧪 test experiment|🔍 search find|🔗 link
🔔 bell reminder|📣 megaphone announce|💬 comment speech chat|💭 thought|❓ question|❗ exclamation important
⚠️ warning|⛔ no_entry stop|🚧 construction progress|✅ check done yes|☑️ checkbox|❌ cross no wrong
➕ plus add|➖ minus|➡️ arrow_right|⬅️ arrow_left|⬆️ arrow_up|⬇️ arrow_down
🔄 refresh again|♻️ recycle|🆕 new|🆗 ok_button|🔴 red_circle|🟠 orange_circle
🟡 yellow_circle|🟢 green_circle|🔵 blue_circle|⚫ black_circle|⚪ white_circle|🏁 finish flag`

export type Emoji = { sign: string; name: string; words: readonly string[] }

export const EMOJI: readonly Emoji[] = LIST.trim()
  .split(/[|\n]/)
  .map((entry) => {
    const [sign = '', ...words] = entry.trim().split(' ')
    return { sign, name: words[0] ?? '', words }
  })

/** Those with a word that begins with each of the typed ones; those that are called so come first. */
export function emojiFor(typed: string): readonly Emoji[] {
  const asked = typed
    .toLowerCase()
    .split(/[\s_:]+/)
    .filter(Boolean)
  if (asked.length === 0) return EMOJI
  const begins = (word: string, start: string) =>
    word.startsWith(start) || word.split('_').some((part) => part.startsWith(start))
  const found = EMOJI.filter(({ words }) =>
    asked.every((start) => words.some((word) => begins(word, start))),
  )
  const wanted = asked.join('_')
  const rank = ({ name }: Emoji) => (name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2)
  return found.toSorted((one, other) => rank(one) - rank(other))
}

/** By its name, or by a word of its own; undefined: no emoji is called so. */
export const emojiNamed = (name: string): string | undefined =>
  (EMOJI.find((emoji) => emoji.name === name) ?? EMOJI.find(({ words }) => words.includes(name)))
    ?.sign

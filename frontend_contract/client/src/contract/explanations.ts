/** Generated: the sentences that say why a memory is there, which `keepsake explain` has too. */
export const explanations = {
  en: {
    questions: {
      where: "Where does it come from?",
      kept: "Why was it kept?",
      changed: "What has changed it since?",
      counts: "Does it still count?",
      sure: "How sure is Keepsake of it?",
      can: "What can you do?",
    },
    where: {
      chat: "You wrote in a chat on {said}: “{words}”. Keepsake read this and stored the memory on {stored}.",
      asked: "You asked in a chat on {said} to remember it: “{words}”. Keepsake stored it on {stored}.",
      quoted:
        "You wrote it in a chat, in these words: “{words}”. Keepsake stored it on {stored}; the message itself has been deleted since.",
      gone: "You wrote it in a chat, in a message that has been deleted since. Keepsake had stored it on {stored}.",
      hidden: "You wrote it in a chat; Keepsake stored it on {stored}. As it is forgotten, the words are not shown.",
      import: "It was in a file that you imported on {stored}: {file}.",
      unnamed_import: "It was in a file that you imported on {stored}; nothing told Keepsake the name of the file.",
      row: "The file said: “{words}”.",
      export: "It is a file that Keepsake had exported from your memories, and it came back as it was.",
      agent_tool: "An assistant program stored it on {stored}. You did not tell Keepsake so yourself.",
      seeded_profile: "It is from your profile, as you filled it in. Keepsake stored it on {stored}.",
      curated_fold: "Keepsake put it together on {stored}, from several memories that said nearly the same.",
      application: "The application stored it on {stored} as your own word, not from a chat.",
      user: "You wrote or confirmed it yourself; when and how is no longer kept.",
    },
    kept: {
      rule: "A built-in rule of Keepsake recognizes sentences like this, about {subject}, as something to remember of you. No language model took part.",
      model:
        "The language model “{model}” read your message and found in it something to remember of you. Keepsake then checked that it rests on words of your message.",
      clause_reader:
        "The grammar of your sentence shows that it says something lasting about you. No language model took part.",
      statement_classifier:
        "Your sentence has the words of sentences that say something lasting, as a program has learnt from examples. No language model took part.",
      correction: "You corrected what you had said just before.",
      asked: "Because you asked Keepsake to remember it.",
      import:
        "Because you imported it. Like every memory, it was checked: it has no secrets in it, and nothing that gives orders to an assistant.",
      agent_tool:
        "Because the program asked for it. Like every memory, it was checked: it has no secrets in it, and nothing that gives orders to an assistant.",
      seeded_profile: "Keepsake remembers the name, the nickname and the pronouns of your main profile.",
      curated_fold: "One memory in place of several leaves more room for other things.",
      application: "Because the application asked for it.",
      new: "Nothing that was remembered said it yet.",
      replaces: "It took the place of {memory}, which says something else about the same thing and is older.",
      because: "The reason that was noted: {reason}.",
      unknown: "The record of that time is not kept any more.",
    },
    subjects: {
      answers: "what you answer to a question",
      changes: "changes in your life",
      feelings: "how you feel",
      goals: "your plans and goals",
      habits: "your habits",
      home_and_work: "your home and your work",
      identity: "who you are",
      occasions: "events and dates",
      people: "people close to you",
      statements: "you and your life",
      tastes: "what you like and dislike",
    },
    changed: {
      none: "Nothing.",
      message: "On {said} you wrote: “{words}”.",
      doubted:
        "This may mean that the memory is no longer right, but does not say what is right now. So it has been in doubt since then.",
      doubted_otherwise: "On {date} it came into doubt.",
      took_its_place: "So {memory} took its place.",
      ended: "So this is no longer so.",
      ended_by_person: "On {date} you said that it is no longer so.",
      ended_otherwise: "On {date} it was ended: {reason}.",
      restated: "With this you said it again, or more about it.",
      edited: "On {date} you changed its text yourself, from “{before}” to “{after}”.",
      reworded: "Its text was “{before}” before and is “{after}” since.",
      undone: "On {date} you undid what the message “{words}” had done. So this memory counts again.",
      undone_otherwise: "On {date} you undid a change. So this memory is again as it was before that.",
      removed: "{memory}, which had taken its place, was removed by this.",
      expired: "On {date} Keepsake noted that its time was over.",
      archived: "On {date} Keepsake set it aside: {reason}.",
      deleted: "On {date} you deleted it, in the memory panel or through the application.",
      forgotten: "On {date} you asked in a chat to forget it.",
      deleted_otherwise: "On {date} it was forgotten: {reason}.",
      restored: "On {date} you brought it back.",
      confirmed: "On {date} you confirmed that it is right.",
      details: "On {date} you changed how it is kept (pinned, how important, or until when), not what it says.",
      other: "On {date} something about it changed: {reason}.",
    },
    recognized: {
      change_rule: "A built-in rule recognizes such sentences as telling a change.",
      ending: "A built-in rule recognizes such sentences as telling that something is over.",
      denial: "With it you denied what the assistant had said of you.",
      life_change: "A program has learnt from examples which sentences tell a change in somebody's life.",
      model: "The language model “{model}” read it so.",
      taken_back: "With it you took back what you had said just before.",
    },
    counts: {
      active: "Yes, since {since} and without an end: it may be shown to the assistant in your chats.",
      until: "Yes, since {since} and until {until}: until then it may be shown to the assistant in your chats.",
      doubted:
        "Only in part, since {doubted}: while it is in doubt, it is shown to the assistant only when you ask about it.",
      superseded: "No. It counted from {since} until {until}; now it is kept as history only.",
      expired: "No. It counted from {since} until {until}.",
      feeling: "A feeling is taken to last 6 hours from when you wrote of it.",
      late: "Keepsake read your message only after that, on {stored}. So it was never shown to the assistant as something of the moment: it is kept only for the summaries of that day.",
      archived: "No. It is set aside: it is still kept, but no longer shown to the assistant.",
      deleted:
        "No. It is forgotten: no assistant sees it any more. You can still bring it back until {erased}; then its text, too, is erased for good.",
      period: "What it says is about {period}.",
      unused: "Up to now it was neither shown to the assistant nor said again.",
      used_once: "It was shown to the assistant, or said again, once.",
      used: "It was shown to the assistant, or said again, {count} times.",
    },
    sure: {
      own: "Fully: you wrote it, confirmed it or asked to remember it yourself.",
      rule: "{percent} %. That is a fixed figure for the way in which it was recognized, not a calculation about you; 100 % is only what you confirm yourself.",
      model:
        "{percent} %. That is the language model's own estimate (or a fixed 85 % if it gave none); 100 % is only what you confirm yourself.",
      other:
        "{percent} %. That is a fixed figure for what Keepsake has from elsewhere than your own messages; 100 % is only what you confirm yourself.",
      sensitive:
        "{percent} %. It touches a sensitive subject, such as health, and of those Keepsake is never surer than that; 100 % is only what you confirm yourself.",
    },
    can: {
      active:
        "In the memory panel you can correct it, say that it is no longer so, or delete it. In a chat you can ask to forget it.",
      doubted:
        "In the memory panel you can say that it is still true, or no longer true. You can also correct or delete it.",
      over: "In the memory panel you can bring it back, or delete it for good.",
      deleted: "In the memory panel you can bring it back, or erase it for good at once.",
    },
  },
  de: {
    questions: {
      where: "Woher kommt das?",
      kept: "Warum wurde es gemerkt?",
      changed: "Was hat es seitdem geändert?",
      counts: "Gilt es noch?",
      sure: "Wie sicher ist Keepsake?",
      can: "Was kannst du tun?",
    },
    where: {
      chat: "Du hast am {said} in einem Chat geschrieben: „{words}“. Keepsake hat das gelesen und die Erinnerung am {stored} gespeichert.",
      asked:
        "Du hast am {said} in einem Chat gebeten, es zu merken: „{words}“. Keepsake hat es am {stored} gespeichert.",
      quoted:
        "Du hast es in einem Chat geschrieben, mit diesen Worten: „{words}“. Keepsake hat es am {stored} gespeichert; die Nachricht selbst ist seitdem gelöscht worden.",
      gone: "Du hast es in einem Chat geschrieben, in einer Nachricht, die seitdem gelöscht worden ist. Keepsake hatte es am {stored} gespeichert.",
      hidden:
        "Du hast es in einem Chat geschrieben; Keepsake hat es am {stored} gespeichert. Weil es vergessen ist, werden die Worte nicht gezeigt.",
      import: "Es stand in einer Datei, die du am {stored} importiert hast: {file}.",
      unnamed_import:
        "Es stand in einer Datei, die du am {stored} importiert hast; den Namen der Datei hat Keepsake nicht erfahren.",
      row: "In der Datei stand: „{words}“.",
      export:
        "Es ist eine Datei, die Keepsake aus deinen Erinnerungen exportiert hatte, und es kam zurück, wie es war.",
      agent_tool: "Ein Assistenzprogramm hat es am {stored} gespeichert. Du selbst hast es Keepsake nicht gesagt.",
      seeded_profile:
        "Es stammt aus deinem Profil, wie du es ausgefüllt hast. Keepsake hat es am {stored} gespeichert.",
      curated_fold: "Keepsake hat es am {stored} aus mehreren Erinnerungen zusammengefasst, die fast dasselbe sagten.",
      application: "Die Anwendung hat es am {stored} als dein eigenes Wort gespeichert, nicht aus einem Chat.",
      user: "Du hast es selbst geschrieben oder bestätigt; wann und wie, ist nicht mehr festgehalten.",
    },
    kept: {
      rule: "Eine eingebaute Regel von Keepsake erkennt solche Sätze, über {subject}, als etwas, das man sich von dir merken soll. Kein Sprachmodell war beteiligt.",
      model:
        "Das Sprachmodell „{model}“ hat deine Nachricht gelesen und darin etwas gefunden, das man sich von dir merken soll. Danach hat Keepsake geprüft, dass es auf Worten deiner Nachricht beruht.",
      clause_reader:
        "Die Grammatik deines Satzes zeigt, dass er etwas Bleibendes über dich sagt. Kein Sprachmodell war beteiligt.",
      statement_classifier:
        "Dein Satz hat die Wörter von Sätzen, die etwas Bleibendes sagen, wie ein Programm es aus Beispielen gelernt hat. Kein Sprachmodell war beteiligt.",
      correction: "Du hast verbessert, was du gerade zuvor gesagt hattest.",
      asked: "Weil du Keepsake gebeten hast, es zu merken.",
      import:
        "Weil du es importiert hast. Wie jede Erinnerung wurde es geprüft: Es enthält keine Geheimnisse und nichts, das einem Assistenten Befehle gibt.",
      agent_tool:
        "Weil das Programm darum gebeten hat. Wie jede Erinnerung wurde es geprüft: Es enthält keine Geheimnisse und nichts, das einem Assistenten Befehle gibt.",
      seeded_profile: "Keepsake merkt sich den Namen, den Spitznamen und die Pronomen deines Hauptprofils.",
      curated_fold: "Eine Erinnerung an Stelle von mehreren lässt mehr Platz für anderes.",
      application: "Weil die Anwendung darum gebeten hat.",
      new: "Noch nichts, was gemerkt war, sagte das.",
      replaces: "Es trat an die Stelle von {memory}, was älter ist und über dieselbe Sache etwas anderes sagt.",
      because: "Der Grund, der festgehalten ist: {reason}.",
      unknown: "Die Aufzeichnungen aus dieser Zeit sind nicht mehr da.",
    },
    subjects: {
      answers: "deine Antworten auf eine Frage",
      changes: "Änderungen in deinem Leben",
      feelings: "deine Gefühle",
      goals: "deine Pläne und Ziele",
      habits: "deine Gewohnheiten",
      home_and_work: "dein Zuhause und deine Arbeit",
      identity: "dich selbst",
      occasions: "Ereignisse und Termine",
      people: "Menschen, die dir nahestehen",
      statements: "dich und dein Leben",
      tastes: "deine Vorlieben und Abneigungen",
    },
    changed: {
      none: "Nichts.",
      message: "Am {said} hast du geschrieben: „{words}“.",
      doubted:
        "Das kann bedeuten, dass die Erinnerung nicht mehr stimmt, sagt aber nicht, was jetzt stimmt. Darum ist sie seitdem im Zweifel.",
      doubted_otherwise: "Am {date} kam sie in Zweifel.",
      took_its_place: "Darum trat {memory} an ihre Stelle.",
      ended: "Darum gilt das nicht mehr.",
      ended_by_person: "Am {date} hast du gesagt, dass es nicht mehr gilt.",
      ended_otherwise: "Am {date} wurde es beendet: {reason}.",
      restated: "Damit hast du es wieder gesagt, oder mehr darüber.",
      edited: "Am {date} hast du den Text selbst geändert, von „{before}“ zu „{after}“.",
      reworded: "Der Text war vorher „{before}“ und ist seitdem „{after}“.",
      undone:
        "Am {date} hast du rückgängig gemacht, was die Nachricht „{words}“ bewirkt hatte. Darum gilt diese Erinnerung wieder.",
      undone_otherwise:
        "Am {date} hast du eine Änderung rückgängig gemacht. Darum ist diese Erinnerung wieder, wie sie vorher war.",
      removed: "{memory}, was an ihre Stelle getreten war, wurde dadurch entfernt.",
      expired: "Am {date} hat Keepsake festgehalten, dass ihre Zeit vorbei war.",
      archived: "Am {date} hat Keepsake sie beiseitegelegt: {reason}.",
      deleted: "Am {date} hast du sie gelöscht, auf der Seite der Erinnerungen oder über die Anwendung.",
      forgotten: "Am {date} hast du in einem Chat gebeten, sie zu vergessen.",
      deleted_otherwise: "Am {date} wurde sie vergessen: {reason}.",
      restored: "Am {date} hast du sie zurückgeholt.",
      confirmed: "Am {date} hast du bestätigt, dass sie stimmt.",
      details:
        "Am {date} hast du geändert, wie sie aufbewahrt wird (angeheftet, wie wichtig oder bis wann), nicht was sie sagt.",
      other: "Am {date} hat sich etwas daran geändert: {reason}.",
    },
    recognized: {
      change_rule: "Eine eingebaute Regel erkennt, dass solche Sätze von einer Änderung erzählen.",
      ending: "Eine eingebaute Regel erkennt, dass solche Sätze sagen, dass etwas vorbei ist.",
      denial: "Damit hast du bestritten, was der Assistent über dich gesagt hatte.",
      life_change: "Ein Programm hat aus Beispielen gelernt, welche Sätze von einer Änderung in einem Leben erzählen.",
      model: "Das Sprachmodell „{model}“ hat es so gelesen.",
      taken_back: "Damit hast du zurückgenommen, was du gerade zuvor gesagt hattest.",
    },
    counts: {
      active: "Ja, seit {since} und ohne Ende: Sie darf dem Assistenten in deinen Chats gezeigt werden.",
      until: "Ja, seit {since} und bis {until}: Bis dahin darf sie dem Assistenten in deinen Chats gezeigt werden.",
      doubted:
        "Nur zum Teil, seit {doubted}: Solange sie im Zweifel ist, wird sie dem Assistenten nur gezeigt, wenn du danach fragst.",
      superseded: "Nein. Sie galt von {since} bis {until}; jetzt wird sie nur als Vergangenheit aufbewahrt.",
      expired: "Nein. Sie galt von {since} bis {until}.",
      feeling: "Ein Gefühl gilt 6 Stunden lang, von da an, als du davon geschrieben hast.",
      late: "Keepsake hat deine Nachricht erst danach gelesen, am {stored}. Darum wurde sie dem Assistenten nie als etwas Gegenwärtiges gezeigt: Sie wird nur für die Zusammenfassungen dieses Tages aufbewahrt.",
      archived: "Nein. Sie ist beiseitegelegt: Sie wird noch aufbewahrt, aber dem Assistenten nicht mehr gezeigt.",
      deleted:
        "Nein. Sie ist vergessen: Kein Assistent sieht sie mehr. Bis {erased} kannst du sie noch zurückholen; dann wird auch ihr Text endgültig gelöscht.",
      period: "Was sie sagt, betrifft {period}.",
      unused: "Bisher wurde sie weder dem Assistenten gezeigt noch wieder gesagt.",
      used_once: "Sie wurde einmal dem Assistenten gezeigt oder wieder gesagt.",
      used: "Sie wurde {count} Mal dem Assistenten gezeigt oder wieder gesagt.",
    },
    sure: {
      own: "Ganz: Du selbst hast es geschrieben, bestätigt oder gebeten, es zu merken.",
      rule: "Zu {percent} %. Das ist ein fester Wert für die Art, wie es erkannt wurde, keine Rechnung über dich; 100 % hat nur, was du selbst bestätigst.",
      model:
        "Zu {percent} %. Das ist die eigene Schätzung des Sprachmodells (oder fest 85 %, wenn es keine gab); 100 % hat nur, was du selbst bestätigst.",
      other:
        "Zu {percent} %. Das ist ein fester Wert für alles, was Keepsake anderswoher hat als aus deinen Nachrichten; 100 % hat nur, was du selbst bestätigst.",
      sensitive:
        "Zu {percent} %. Es betrifft etwas Heikles, etwa die Gesundheit, und dabei ist Keepsake nie sicherer; 100 % hat nur, was du selbst bestätigst.",
    },
    can: {
      active:
        "Auf der Seite der Erinnerungen kannst du sie verbessern, sagen, dass sie nicht mehr gilt, oder sie löschen. In einem Chat kannst du bitten, sie zu vergessen.",
      doubted:
        "Auf der Seite der Erinnerungen kannst du sagen, dass sie noch stimmt oder nicht mehr stimmt. Du kannst sie auch verbessern oder löschen.",
      over: "Auf der Seite der Erinnerungen kannst du sie zurückholen oder endgültig löschen.",
      deleted: "Auf der Seite der Erinnerungen kannst du sie zurückholen oder sofort endgültig löschen.",
    },
  },
};

export type Explanation = (typeof explanations)["en"];

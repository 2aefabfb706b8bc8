"""The word lists that rules share."""

from __future__ import annotations

from keepsake.domain.text import word_set

GROUPS = word_set("""
    jewish catholic muslim hindu sikh buddhist mormon atheist german french american canadian italian russian indian
    mexican korean brazilian african asian european australian dutch greek thai swiss czech ukrainian norwegian
    egyptian nigerian kenyan moroccan iranian persian israeli lebanese arab hungarian romanian belgian austrian
    colombian chilean cuban peruvian welsh
""")
NAMES_LIKE_FORMS = word_set("""
    fred alfred manfred wilfred winifred ahmed mohammed hamed jared ned ted ed ming ting ling ying irving sterling
    wang ping ding king reed
""")
PETS = (
    r"(?:dogs?|pupp(?:y|ies)|pups?|cats?|kittens?|kitt(?:y|ies)|birds?|parrots?|parakeets?|cockatiels?|budgies?|"
    r"hamsters?|"
    r"guinea pigs?|gerbils?|rats?|mice|mouse|rabbits?|bunn(?:y|ies)|fish|goldfish|turtles?|tortoises?|lizards?|"
    r"geckos?|iguanas?|"
    r"snakes?|pythons?|frogs?|ferrets?|horses?|pon(?:y|ies)|cows?|goats?|chickens?|hens?|ducks?|pigs?|sheep|llamas?|"
    r"alpacas?|"
    r"donkeys?|hedgehogs?|chinchillas?|tarantulas?|spiders?|pets?|retrievers?|labradors?|labs?|poodles?|bulldogs?|"
    r"beagles?|"
    r"shepherds?|terriers?|corgis?|dachshunds?|husk(?:y|ies)|pugs?|chihuahuas?|collies?|doodles?|goldendoodles?|"
    r"labradoodles?|"
    r"rottweilers?|dobermans?|spaniels?|greyhounds?|shih tzus?|maltese|pomeranians?|siamese|tabb(?:y|ies)|mutts?|"
    r"hounds?)"
)
NUMBERS = (
    r"(?:\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|many|multiple|a few|a "
    r"couple(?: of)?|"
    r"some|lots of|a lot of|no|dozens of|another)"
)
JOBS = word_set("""
    accountant actuary architect attorney auditor baker banker barber barista bartender biologist bookkeeper
    broker butcher carpenter cashier chef chemist chiropractor cleaner clerk consultant cop counselor curator
    dentist dermatologist developer dietitian dispatcher doctor economist editor electrician engineer
    esthetician farmer firefighter fireman fisherman florist geologist groomer hairdresser hairstylist handyman
    housekeeper hygienist illustrator inspector instructor interpreter investigator janitor jeweler journalist
    judge landscaper lawyer lecturer librarian lifeguard locksmith machinist manager marketer mason
    mathematician mechanic midwife miner nanny neurologist nurse nutritionist optician optometrist orthodontist
    paralegal paramedic pediatrician pharmacist photographer physician physicist physiotherapist pilot plumber
    policeman postman principal professor programmer psychiatrist psychologist radiologist realtor receptionist
    recruiter reporter researcher roofer sailor salesman salesperson scientist seamstress secretary server
    sheriff soldier statistician steward stewardess stylist superintendent surgeon surveyor tailor teacher
    technician teller therapist translator trucker tutor undertaker vet veterinarian waiter waitress warden
    welder zookeeper zoologist housewife freelancer entrepreneur analyst administrator assistant caterer
    contractor designer director driver executive officer operator planner producer supervisor trainer worker
""")
FEELINGS = (
    r"tired|exhausted|sleepy|drained|sad|down|depressed|lonely|happy|excited|thrilled|stressed(?: out)?|anxious|"
    r"nervous|worried|"
    r"scared|afraid|angry|mad|furious|frustrated|annoyed|irritated|upset|overwhelmed|bored|grateful|thankful|proud|"
    r"hopeful|"
    r"hopeless|guilty|ashamed|embarrassed|jealous|confused|relieved|calm|content|peaceful|energi[sz]ed|motivated|"
    r"unmotivated|"
    r"burn(?:ed|t) out|burnt|heartbroken|homesick|miserable|great|good|bad|better|worse|terrible|awful|amazing|"
    r"fantastic|"
    r"wonderful|low|blue|sick|unwell|ill|dizzy|nauseous|hungover|sore|hungry|restless|moody|emotional|numb|lost|"
    r"stuck|insecure|"
    r"confident|optimistic|pessimistic|disappointed|devastated|ecstatic|joyful|cheerful|tense|uneasy|helpless|under "
    r"the weather|"
    r"on edge|fed up|worn out|a mess|melancholic|nostalgic|panicked|hurt|betrayed|unhappy|inspired|refreshed|rested"
)
DEGREES = (
    r"(?P<degree>(?:(?:so|very|really|pretty|quite|a (?:little|bit)(?: bit)?|kind of|extremely|super|too|rather|"
    r"incredibly|just|absolutely|"
    r"totally|completely|feeling|still|also|more|deeply|truly|terribly|a lot|somewhat|fairly|always) )*)"
)
DIETS = r"vegan|vegetarian|pescatarian|single|married|divorced|retired|pregnant|tall|short|shy|deaf|blind|left-handed"

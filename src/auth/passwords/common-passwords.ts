// Those of the 3000 most common passwords that have at least 8 characters, and 13 local ones; printed by
// scripts/common-passwords.ts. Source: Django 5.2 (BSD-3-Clause, (c) Django Software Foundation and contributors;
// Debian: python3-django), from Royce Williams's ranking of Have I Been Pwned. Sorted, for it packs better.
const WORDS = `
0.00000000 00000000 0000000000 0123456789 0987654321 10101010 10203040 1029384756 11111111 111111111 1111111111 11112222 111222333 111222tianya 11223344 1122334455 11235813 1123581321 12121212 12131415 12301230 123123123 123321123 12341234
12344321 1234512345 123454321 1234554321 123456123 123456123456 123456654321 12345678 123456789 1234567890 1234567890q 1234567891 12345678910 1234567899 123456789a 123456789j 123456789k 123456789m 123456789q 123456789s 123456789z 12345678a
12345679 1234567a 1234567q 123456987 123456aa 123456abc 123456asd 123456qwe 123456qwerty 12345qwert 12345qwerty 1234abcd 1234asdf 1234qwer 123654789 12369874 123698745 123789456 123hfjdk147 123qwe123 123qweasd 123qweasdzxc 123qwerty
12qw23we 12qwaszx 13131313 135792468 14531453 147258369 147852369 14789632 147896325 192837465 19781978 19801980 19811981 19821982 19831983 19841984 19851985 19861986 19871987 19881988 19891989 19901990 19911991 19921992 19931993 19941994
19951995 1a2b3c4d 1g2w3e4r 1loveyou 1myspace 1password 1princess 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qa2ws3ed 1qaz1qaz 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1v7upjw3nt 20102010 2012comeer 21212121 22222222 2222222222 25802580 29rsavoy 31415926
321654987 33333333 369258147 3d8cubaj2e 3odi15ngxb 3rjs1la7qe 421uiopy258 44444444 4815162342 55555555 5555555555 5hsu75kpot 66666666 69696969 6hbf28w791 741852963 77777777 789456123 7894561230 87654321 88888888 9-11-1961 963852741
987456321 987654321 9876543210 99999999 999999999 9999999999 a1234567 a12345678 a123456789 a1b2c3d4 a1b2c3d4e5 a1s2d3f4 a838hfid aa123456 aaaaaaaa aaaaaaaaaa aaliyah1 abc12345 abc123456 abcd1234 abcde12345 abcdefg1 abcdefg123 abcdefgh
abigail1 adgjmptw admin123 agent007 airforce1 alabama1 alejandra alejandro alejandro1 aleksandr alessandro alexander alexander1 alexandra alexandra1 alexandre alhamdulillah allison1 america1 american amoremio amsterdam anastasia anderson
angel123 angelica angelina anhyeuem anthony1 antonio1 aobo2010 apple123 aquarius argentina arsenal1 asd123456 asdasd123 asdasdasd asdf1234 asdfasdf asdfasdf1 asdfghjk asdfghjkl asdfghjkl1 asdfghjkl: asdfjkl: asdqwe123 aspirine assassin
asshole1 atlanta1 australia awesome1 azerty123 azertyuiop babyblue babyboy1 babydoll babydoll1 babygirl babygirl1 babygirl12 babygirl2 babygurl babygurl1 babylove barbara1 barcelona barcelona1 baseball baseball1 baseball12 baseball2
basketball bearshare beatrice beautiful beautiful1 bella123 benjamin benjamin1 bestfriend bigdaddy bigdaddy1 birthday bismillah bismillah1 bismillah123 bitch123 bitches1 blablabla blackberry blahblah blahblah1 blessed1 blessing blink182
blondie1 bluebird bluefish bollocks bradley1 brandon1 brianna1 brittany brittany1 broncos1 brooklyn brooklyn1 bubbles1 buddy123 budlight1 bulldog1 bulldogs bulldogs1 bullshit bullshit1 business buttercup buttercup1 butterfly butterfly1
butthead california cambiami cameron1 candy123 capricorn career121 carolina carolina1 caroline carpediem casanova cassandra catalina catherine cdtnkfyf champion changeme charlene charles1 charlie1 charlotte charlotte1 charmed1 chelsea1
cherokee chester1 cheyenne cheyenne1 chicago1 chicken1 children chocolat chocolate chocolate1 chopper1 chouchou chris123 christian christian1 christina christina1 christine christine1 christmas christmas1 christophe christopher ciaociao
cjkysirj cjmasterinf cleopatra cocacola cocacola1 colombia colorado comeon11 computer computer1 cookies1 cooldude corvette courtney courtney1 cowboys1 creative creative1 cricket1 cristian cristina crystal1 cupcake1 cutiepie cutiepie1
d1lakiss d2xyw89sxj dalejr88 daniel123 danielle danielle1 darkangel darkness darkness1 david123 dbrnjhbz dearbook death666 december defender destiny1 devil666 diamond1 diamonds dickhead dickhead1 digital1 dinosaur diosesfiel diwtgm8492
dodgers1 dokter123 dolphin1 dolphins dolphins1 dominic1 dominique dpbk1234 dragon12 dragon123 dragonball dragonfly dragons1 drowssap drpepper drpepper1 drummer1 dumbass1 einstein ekaterina element1 elephant elephant1 elizabeth elizabeth1
emmanuel engineer england1 estrella eternity evildick evony192 explorer facebook february federica federico fernanda fernando ferrari1 fireball firebird fishing1 fktrcfylh florence florida1 flowers1 football football1 football12 football2
fordf150 forever1 forever21 formula1 fountain fqrg7cs493 francesca francesco francisco frankie1 franklin freedom1 friends1 friendship friendster fuckme69 fuckoff1 fuckyou! fuckyou1 fuckyou123 fuckyou2 fuckyou69 fuk19600 fuku00198 fyfcnfcbz
g9l2d1fzpy gabriel1 gabriela gangsta1 gangster gangster1 garfield gateway1 genesis1 georgia1 geronimo getmoney getmoney1 giovanni giuseppe godisgood godislove godzilla goldfish golfcourse goodluck gordon24 grandma1 green123 greenday
greenday1 groupd2013 guinness gwerty123 h1xp2z2duk hahahaha hallo123 handsome happiness happy123 hardcore hardcore1 harrison harrypotter heather1 hello123 hellokitty hercules hollister1 hollywood hollywood1 homelesspa hotmail1 hotstuff
houston1 icecream icecream1 idontknow idontknow1 ig4abox4 ihateyou ihateyou1 ilovegod ilovehim1 ilovejesus iloveme1 iloveme2 iloveyou iloveyou! iloveyou. iloveyou1 iloveyou12 iloveyou2 iloveyou3 iloveyou7 india123 indonesia indonesia1
indonesia123 infinity insanity internet internet1 inuyasha inuyasha1 isabella isabella1 isabelle iverson3 iw14fi9j j38ifubn jackass1 jacket025 jackson1 jackson5 jaimatadi jamaica1 james123 jamesbond janji123 janjijanji jasmine1 jeffrey1
jellybean jennifer jennifer1 jeremiah jessica1 jesus123 jesus777 jesuschrist johncena johncena1 johnson1 jonathan jonathan1 jordan23 josephine justdoit justice1 justinbieb juventus ka_djkhjsy6 karolina katerina katherine kathleen kawasaki
kenneth1 killer12 killer123 kimberly kimberly1 kingkong kissmyass kitty123 kittycat kkkkkkkk klinik123 kristen1 kristina lacrosse ladybug1 ladygaga lakers24 lasvegas lawrence lebron23 leonardo letmein1 liberty1 lilmama1 lilwayne1 lindsey1
linkedin linkinpark liverpool liverpool1 lizottes logitech lollipop lollipop1 lollypop lorraine loser123 love1234 love4ever lovebug1 lovelife lovelove lover123 loverboy loverboy1 loveyou1 loveyou2 lucky123 madison1 mahalkita mamapapa
manchester maradona margaret margarita mariposa marlboro marseille marshall martinez maryjane maryjane1 master123 matthew1 maverick maxwell1 medicine megaparol12345 melanie1 melissa1 mercedes mercedes1 metallica metallica1 mexican1 michael1
michelle michelle1 michigan microsoft midnight midnight1 million2 minecraft miranda1 mitchell mohammed molly123 mommy123 monalisa money123 monique1 monkey12 monkey123 monkeys1 monster1 montana1 moonlight motdepasse motorola mountain
muhammad music123 mustang1 mypassword myspace! myspace. myspace1 myspace12 myspace123 myspace2 myspace3 n0=acc3ss n8zgt5p0shw= napoleon naruto12 naruto123 natalie1 natasha1 nathalie newcastle newlife1 newport1 newyork1 nicholas nicholas1
nightmare nintendo nirvana1 nonmember nothing1 november october1 ohmnamah23 omsairam onelove1 orlando1 p3rat54797 p@ssw0rd pa55w0rd pa55word packers1 paintball1 pakistan pakistan1 panasonic pantera1 panther1 panthers panthers1 papillon
paradise pass1234 passer2009 passer2011 passport passw0rd password password! password. password0 password00 password01 password1 password10 password11 password12 password123 password13 password2 password22 password3 password4 password5
password69 password7 password8 password9 passwort patches1 patricia patrick1 pavilion pe#5gz29ptzmse peaches1 pebbles1 penelope penguin1 personal peterpan phoenix1 pineapple pitbull1 platinum playboy1 poiuytrewq pokemon1 pokemon123
polniypizdec0211 poohbear poohbear1 popcorn1 porsche1 portugal precious precious1 predator prettygirl princesa princess princess1 princess12 princess2 pumpkin1 pussycat q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qawsedrf qazwsx12 qazwsx123 qazwsxedc
qazwsxedcrfv qazxswedc qq123456 qqww1122 qti7zxh18u qw123321 qwe12345 qweasd123 qweasdzxc qweqweqwe qwer1234 qwerasdf qwert123 qwert12345 qwerty11 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty321 qwertyui qwertyuiop ragnarok
rahasia1 rahasia123 raiders1 rainbow1 rammstein rangers1 raymond1 realmadrid rebecca1 redneck1 redskins redskins1 redwings remember remember1 rhbcnbyf richard1 rockstar rockstar1 rolltide ronaldinho ronaldo7 rosemary runescape runescape1
rush2112 sabrina1 salvador salvatore samantha samantha1 sammy123 sample123 samsung1 santiago sapphire satan666 savannah savannah1 sayang123 sayangkamu scarface scarface1 scarlett schalke04 scoobydoo scooter1 scorpio1 scorpion scotland
sebastian sebastian1 sebastien security september september1 serenity sexybitch1 sexygirl sexygirl1 sexymama1 shadow12 shadow123 shamrock shannon1 shithead shithead1 shopping simpsons sk84life sk8ordie skateboard skittles skittles1 slipknot
slipknot1 smoke420 snickers snickers1 snowball snowball1 soccer10 soccer11 soccer12 soccer123 soccer13 soccer14 softball softball1 sojdlg123aljg something southside1 spartan117 special1 spencer1 spiderman spiderman1 spitfire spongebob
spongebob1 sporting starcraft stargate startfinding startrek starwars starwars1 steelers steelers1 stellina stephanie stephanie1 stephen1 sterling stonecold stratfor strawberry strength success1 summer07 summer08 summer09 sunflower sunshine
sunshine1 super123 superman superman1 superstar superstar1 sureno13 svetlana sweetheart sweetie1 sweetpea sweetpea1 swimming swordfish sz9kqcctwy target123 teacher1 teddybear teddybear1 telechargement tequiero terminator test1234 testtest
thailand thebest1 thuglife thunder1 tiffany1 tiger123 timothy1 tinkerbell tnk0mk16vx tokiohotel tottenham trfnthbyf trinity1 trouble1 truelove trustno1 twilight twilight1 undertaker uqa9ebw445 vacation valencia valentin valentina valentine
valentino vampire1 vampires vanessa1 veronica veronica1 veronika victoria victoria1 viktoria vincent1 virginia vkontakte vladimir volleyball vqsablpzla vrbgqns997 w5txn36alfw wangyut2 warcraft warcraft1 watermelon welcome1 welcome123
westlife westside westside1 whatever whatever1 wildcats william1 williams winston1 wolverine wordpass wrestling wrestling1 x4ivyga51f y6p67ftrqj yagjecc826 yahoo.com yankees1 yankees2 yfdbufnjh10305070 youbye123 yourmom1 yousuck1
yuantuo2012 zachary1 zag12wsx zaq12wsx zaq1xsw2 zxcv1234 zxcvbnm1 zxcvbnm123 zzzzzzzz
`;

let known: Set<string> | undefined;

/** Whether a password, already in NFKC and lower case, is one of the common ones (NIST SP 800-63B, 5.1.1.2). */
export function isCommonPassword(folded: string): boolean {
  known ??= new Set(WORDS.trim().split(/\s/));
  return known.has(folded);
}

/**
 * Function words of languages other than English, which say nothing about the subject of a text: German, French, Spanish,
 * Italian, Portuguese, Russian. Words that are also English words, names of code or names of programs are left out ("die",
 * "war", "son", "come", "sur", "par").
 */

const LISTS = `
aber alle allem allen aller alles als andere anderen auch auf aus bei beim bin bis bist bitte dabei dadurch damit danach
dann daran darauf daraus darin darüber darum das dass davon davor dazu dein deine deinem deinen dem den denn der deren des
deshalb dessen diese diesem diesen dieser dieses doch dort durch ein eine einem einen einer eines einige er es etwas euch
euer eure für ganz gegen genau genug gerade gern gerne gibt haben hatte hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem
ihren immer ist ja jede jedem jeden jeder jedes jemand jetzt kann kannst kein keine keinem keinen keiner können könnt
könnte machen macht mein meine meinem meinen mich mir mit muss müssen musst nach nachdem nein nicht nichts noch nochmal nur
ob oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind sobald sollen sollte sollten sollst sondern
soll sonst über um und uns unser unsere unserem unseren unter vom von vor wann warum weil weiter welche welchem welchen
welcher welches wem wen wenn wer werde werden weshalb wie wieder wieso wir wird wo wofür wohin womit worden wurde wurden
würde würden zu zum zur zwar zwischen
alors après aussi au aucun aucune aux avec avez avoir avons bien ça ce ceci cela celle celles celui ces cet cette ceux
chaque chez combien comme comment dans depuis des deux dois doit donc dont du elle elles encore entre est et étaient était
été être eu eux faire fait faut ici il ils je jusque la le les leur leurs lors lui ma mais même mes moi mon ne nos notre
nous où ou parce pas pendant peut peux plus pourquoi pouvez pouvons pour puis quand quel quelle quelles quels que qui quoi
sa sans ses si soit sommes sont sous ta tandis te tes toi ton tous tout toute toutes très trop tu un une vers voici voilà
vos votre vous
además ahora al algo algún alguna algunas alguno algunos allí antes aquel aquella aquí así aún aunque cada como cómo con
contra cual cuál cuales cuando cuándo cuánto cuya cuyo de debe deben del desde después donde dónde durante el él ella ellas
ellos en entonces era eran eres es esa esas ese eso esos esta está están estas este esto estos estoy fue fueron ha haber había
hace hacer hacia han hasta hay la las lo los más mi mientras mis mucho muy nada ni nos nosotros nuestra nuestro nunca otra
otro para pero poco por porque porqué puede pueden puedo qué quién quien sea según ser será si sí sido siempre sin sobre solo
somos son soy su sus también tan tanto te tener tengo tiene tienen toda todas todo todos tu tus un una unas uno unos usted
vez y ya yo
alla alle anche ancora aveva avere che chi ci cosa così cui da dagli dai dal dalla degli dei del della delle deve devo di
dopo dove e era essere fa fare fra gli ha hai hanno ho il io loro ma mia mio molto nei nel nella nelle noi non nostro o
ogni per perché però più poi poco prima può qual quale quali quando quanto quella quelle quello questa queste questi questo
sarà se senza si sia siamo siete sono sta stato su sua sulla suo tra tua tuo tutta tutte tutti tutto un una uno vi voi
à agora ainda além algum alguma antes ao aos aquela aquele aqui as até cada com como da das de dela dele depois desde dessa
desse desta deste deve devem do dos e ela elas ele eles em entre era essa esse esta está estão este eu fazer foi foram há
isso isto já lhe mais mas mesmo meu minha muito na nas nem no nos nós nossa nosso não num numa o onde os ou para pela pelo
perto pode podem por porque porquê qual quando que quem sem seu sobre sua também tem tenho ter teu toda todo todos tudo um
uma vai você vocês
а без бы был была были было быть в вам вас ваш ваша ваше ваши весь вместо во вот все всё всего всех вы где да давай для до его
ее её если есть еще ещё же за зачем здесь и из или им их к каждый как какая какие каким какими какого какое какой какую когда ко кому
которая которое которой которые который которых кто ли либо меня мне можно мои мой моя мы на над надо нам нами нас наш наша наше
наши не него нее неё нет ни них но ну нужно о об однако он она они оно опять от очень перед по под пожалуйста после потом потому
почему при про с сам свой себя сейчас со снова так также такая такие такое такой там тебе тебя теперь то тобой тогда того тоже только
том тот ту тут ты у уже хорошо чего чем через что чтобы эта эти это этого этой этом этот эту я
`;

/** Words of these lists that may mean something else in English or in code. */
const AMBIGUOUS = `
a al as at com con da de del den des dei do dos du e el em en era es est et eu fa ha hay he hinter ho i il in io ja la las le
les lo los lui ma main mais mas mal mes mi mis mit mon na nach nei no noi non nos o on or os ou per plus poi por prima pro
qua que qui se ses si sin sit sole solo son sous su sub sum sus ta tan te tes ton tra tu tus um un uno uns vers vez vi via
vos wie wo y ya yo zu ser sea sera sind sein seit use ton toi ob mir moi data base pour dance dans poco pode pois peut
der als bin dem ces para algo fare dai dal chi ci mio nas num numa sem tem wer todo todos toda todas bis des este lors
ao comment dont donne cosa con contra elle other dove dose tout toute sans son sta stato
`;

const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");
const ambiguous = new Set(wordsIn(AMBIGUOUS));

/** In lower case, as they are written. */
export const FOREIGN_FUNCTION_WORDS: ReadonlySet<string> = new Set(
  wordsIn(LISTS).filter((word) => !ambiguous.has(word)),
);

/**
 * Names of methods in the standard libraries of the languages. A call of such a name on an unknown value is most likely a
 * library call, so it never resolves to a project method merely because that is the only one of its name.
 */
const NAMES = `
add all any append apply at bind call catch charAt charCodeAt clear close codePointAt concat copy copyWithin count
create delete destroy difference emit encode decode end endsWith entries equals error every exec execute exists extend fill
filter finally find findIndex findLast findLastIndex first flat flatMap flush forEach format fromEntries from get getItem
has hasOwnProperty hash hashCode includes indexOf index info init insert intersection isArray isEmpty items iter iterator
join json key keys last lastIndexOf len length length list listen load localeCompare log lower main map match matchAll max
merge min move name next normalize now of off on once open padEnd padStart parse peek pipe pop popitem post print push put
query raise read readline readlines readFile reduce reduceRight reject release remove removeEventListener addEventListener
repeat replace replaceAll reset resolve result reverse round run save search seek select send set setdefault setTimeout
shift size sleep slice some sort splice split splitlines start startsWith stat stop strip lstrip rstrip sub substring
substr sum swap symmetric_difference tail take tell test text then throw title toArray toFixed toISOString toJSON toList
toLocaleString toLowerCase toReversed toSorted toString toUpperCase touch trim trimEnd trimStart truncate type union
unref unshift update upper valueOf value values wait warn warning debug with write writelines writeFile zip abort acquire
allSettled race captureStackTrace cancel clone commit rollback connect disconnect cursor fetchone fetchall fetch getattr
group groups span prepare iterate done finish status code message stack cause getTime getFullYear getDate getDay getHours
getMonth setUTCHours getUTCFullYear toUTCString keys isOpen location exit kill spawn assert equal deepEqual ok notEqual
`;

export const COMMON_NAMES: ReadonlySet<string> = new Set(NAMES.split(/\s+/).filter(Boolean));

/**
 * Names of the languages' own libraries that a call may have without an import. A call of such a name never leads to a
 * definition of the project merely because that is the only one of its name.
 */
import type { Family } from "../../languages/language.ts";
import { RUBY_LIBRARY } from "../ruby/library.ts";
import { COMMON_NAMES } from "./common_names.ts";

const C = `
abort abs accept access assert atexit atof atoi atol atoll bind bsearch calloc chdir chmod chown clearerr clock close
closedir connect cos creat ctime difftime dup dup2 errno execl execv execve execvp exit exp fclose fcntl fdopen feof
ferror fflush fgetc fgets fileno floor fopen fork fprintf fputc fputs fread free freopen fscanf fseek fseeko fstat fsync
ftell ftello ftruncate fwrite getaddrinfo getc getchar getcwd getenv gethostbyname getopt getpid getrusage getsockopt
gettimeofday gmtime htonl htons inet_ntop inet_pton ioctl isalnum isalpha isatty isdigit islower isprint isspace isupper
kill listen localtime log longjmp lseek lstat main malloc memchr memcmp memcpy memmove memset mkdir mktime mmap munmap
ntohl ntohs open opendir perror pipe poll pow printf pthread_create pthread_join pthread_mutex_lock pthread_mutex_unlock
putc putchar puts qsort raise rand random read readdir realloc realpath recv recvfrom remove rename rewind rmdir scanf
select send sendto setenv setjmp setsockopt setvbuf shutdown sigaction signal sin sleep snprintf socket sprintf sqrt
srand sscanf stat stpcpy strcasecmp strcasestr strchrnul strlcat strlcpy strnlen strcat strchr strcmp strcoll strcpy strcspn strdup strerror strftime strlen strncasecmp
strncat strncmp strncpy strndup strpbrk strrchr strsep strspn strstr strtod strtok strtok_r strtol strtoll strtoul
strtoull system tan time tmpfile tolower toupper truncate ungetc unlink usleep va_arg va_copy va_end va_start vfprintf
vprintf vsnprintf vsprintf wait waitpid write offsetof sizeof likely unlikely
`;

const CPP = `
assign at back bad begin c_str capacity cbegin cend compare compare_exchange_strong count data detach emplace emplace_back
empty end eof erase exchange fail find find_first_of find_last_of first flags flush fetch_add front get getline good ignore
insert join length load lock lower_bound make_pair notify_all notify_one peek pop pop_back pop_front precision push push_back
push_front put rbegin rdbuf rdstate release rend reserve reset resize rfind second seekg seekp setf setstate size store str
substr swap tellg tellp top try_lock unlock upper_bound use_count wait what width write
`;

const RUST = `
abs abort acquire add all and_then any append as_bytes as_deref as_mut as_ptr as_ref as_slice as_str as_any assert
assert_eq assume_init await back binary_search borrow borrow_mut bytes ceil chain char_indices chars checked_add
checked_sub chunks clamp clear clone cloned cmp collect compare_exchange concat contains contains_key copied copy_from_slice
count cycle default deref deref_mut downcast downcast_ref drain drop dyn_into ends_with entry enumerate eq err entries exists
expect expect_err extend extend_from_slice fetch_add fetch_or fetch_sub field fill finish finish_non_exhaustive filter filter_map find find_map first flat_map
flatten floor flush fmt fold for_each from from_static from_str from_utf8 front fuse ge get get_key_value get_mut get_or_insert
get_or_insert_with get_unchecked get_unchecked_mut gt hash header headers headers_mut insert inspect into into_boxed_slice
into_inner into_iter into_bytes into_parts is_alphabetic is_ascii is_char_boundary is_empty is_err is_none is_numeric is_ok
is_some is_some_and is_whitespace iter iter_mut join keys kind last le len lines load lock lt make_ascii_lowercase map map_err
map_or map_or_else max max_by max_by_key min min_by_key ne new next next_back not nth ok ok_or ok_or_else open or or_default
or_else or_insert or_insert_with parse partial_cmp partition path peek peekable poll poll_flush poll_next poll_read poll_ready
poll_write pop pop_back pop_front position product push push_back push_front push_str read read_exact read_to_end
read_to_string recv reduce remove repeat replace reserve resize retain rev rfind rposition saturating_add saturating_sub scan
seek send set shrink_to_fit skip skip_while sort sort_by sort_by_key sort_unstable spawn split split_at split_off
split_whitespace splitn starts_with status step_by store strip_prefix strip_suffix sum swap swap_remove take take_while
then then_some to_ascii_lowercase to_bytes to_lowercase to_owned to_string to_uppercase to_vec trim trim_end trim_start
truncate try_borrow try_from try_into try_lock try_recv try_send unwrap unwrap_err unwrap_or unwrap_or_default unwrap_or_else
unzip upgrade values values_mut wait wake wake_by_ref windows with_capacity wrapping_add wrapping_sub write write_all
write_fmt write_str zip
`;

const JAVA = `
accept addAll anyMatch append apply asList booleanValue byteValue charAt charValue clearProperty collect compareTo
computeIfAbsent computeIfPresent contains containsKey containsValue currentTimeMillis deleteCharAt doubleValue endsWith
ensureCapacity entrySet equalsIgnoreCase findFirst floatValue forName getBytes getCause getClass getDeclaredField
getDeclaredMethod getDeclaredMethods getField getKey getLength getMessage getMethod getModifiers getName getOrDefault
getParameterTypes getProperty getReturnType getSimpleName getStackTrace getTime getType getValue hasNext ifPresent
initCause intValue invoke isArray isAssignableFrom isDigit isInstance isInterface isLetter isPresent isPrimitive
isWhitespace keySet lock longValue matcher matches nanoTime newInstance noneMatch notify notifyAll orElse orElseGet
orElseThrow parallelStream parseInt parseLong print printStackTrace println putAll putIfAbsent readObject removeAll
retainAll schedule setAccessible setCharAt setProperty shortValue stream submit subList supply synchronized toCharArray
toDays toMillis toNanos tryLock unlock unmodifiableList valueOf writeObject
`;

const CSHARP = `
Add AddRange Aggregate All Any Append AppendLine AsEnumerable BeginInvoke Cast Clear Clone Close CompareTo Concat
ConfigureAwait Contains ContainsKey ContinueWith Copy CopyTo Count CreateInstance Dequeue Dispose Distinct Enqueue EndsWith
Equals Except First FirstOrDefault Flush ForEach Format GetAwaiter GetBytes GetConstructor GetEnumerator GetField
GetHashCode GetMethod GetProperties GetProperty GetResult GetString GetType GetValue GroupBy IndexOf Insert Intersect Invoke
IsAssignableFrom IsNullOrEmpty Join Last LastIndexOf LastOrDefault Length Lock Match Matches Max Min MoveNext OfType Open
OrderBy OrderByDescending Parse Peek Pop Push Read ReadLine ReadToEnd Remove RemoveAll RemoveAt Replace Reset Reverse Run
Select SelectMany SequenceEqual SetValue Single SingleOrDefault Skip Sort Split Start StartsWith Stop Substring Sum Take
TakeWhile ThenBy ToArray ToCharArray ToDictionary ToList ToLower ToString ToUpper Trim TrimEnd TrimStart TryGetValue TryParse
Union Wait Where Write WriteLine Zip
`;

const PHP = `
add addAttribute addChild appendChild attach attributes bind bindParam bindTo bindValue call children close count current
createElement createTextNode dequeue detach diff enqueue exec execute fetch fetchAll fetchColumn format from get getArgs
getArguments getAttribute getAttributes getBasename getChildren getCode getConstants getConstructor getContent
getDeclaringClass getDefaultValue getDocComment getElementById getElementsByTagName getExtension getFile getFileName
getFilename getInterfaceNames getInterfaces getIterator getLine getMessage getMethod getMethods getModifiers getName
getNamespaceName getOffset getParameters getParentClass getPath getPathname getPrevious getProperties getProperty getRealPath
getReturn getReturnType getShortName getSize getTimestamp getTimezone getTrace getTraceAsString getTraits getType getTypes
getValue hasAttribute hasChildren hasMethod hasNext hasProperty hasType implementsInterface importNode insert insertBefore
invoke invokeArgs isAbstract isArray isBuiltin isDefaultValueAvailable isDir isFile isFinal isInstance isInstantiable
isInterface isInternal isOptional isPrivate isProtected isPublic isStatic isSubclassOf isVariadic item jsonSerialize key load
loadHTML loadXML lock modify newInstance newInstanceArgs next offsetExists offsetGet offsetSet offsetUnset open pop prepare
push query quote read removeChild replaceChild rewind rollBack save saveHTML saveXML send seek serialize setAccessible
setAttribute setDate setFlags setTime setTimestamp setTimezone setValue shift sub throw top tryFrom unserialize unshift valid
validate xpath
`;

const C_FUNCTIONS = words(C);

const NAMES: Partial<Record<Family, ReadonlySet<string>>> = {
  c: words(C + CPP),
  rust: words(RUST),
  ruby: words(RUBY_LIBRARY),
  jvm: words(JAVA),
  csharp: words(CSHARP),
  php: words(PHP),
};

export function isLibraryName(family: Family, name: string): boolean {
  return COMMON_NAMES.has(name) || NAMES[family]?.has(name) === true;
}

/** Whether the language's own library has a method of this name, whatever other languages have. */
export function isOwnLibraryName(family: Family, name: string): boolean {
  return NAMES[family]?.has(name) === true;
}

/** Whether C's own library has a function of this name. */
export function isFunctionOfC(name: string): boolean {
  return C_FUNCTIONS.has(name);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean));
}

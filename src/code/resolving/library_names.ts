/**
 * Names of the languages' own libraries that a call may have without an import. A call of such a name never leads to a
 * definition of the project merely because that is the only one of its name.
 */
import type { Family } from "../languages/language.ts";
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
srand sscanf stat strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strerror strftime strlen strncasecmp
strncat strncmp strncpy strndup strpbrk strrchr strsep strspn strstr strtod strtok strtok_r strtol strtoll strtoul
strtoull system tan time tmpfile tolower toupper truncate ungetc unlink usleep va_arg va_copy va_end va_start vfprintf
vprintf vsnprintf vsprintf wait waitpid write offsetof sizeof likely unlikely
`;

const NAMES: Partial<Record<Family, ReadonlySet<string>>> = { c: words(C) };

export function isLibraryName(family: Family, name: string): boolean {
  return COMMON_NAMES.has(name) || NAMES[family]?.has(name) === true;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean));
}

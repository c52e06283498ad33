/** Methods of Ruby's core classes and of the most common ones of its standard library. */
export const RUBY_LIBRARY = `
abort abort_on_exception abs abs2 absolute? absolute_path absolute_path? add add? add_trace_func adler32 advise ajd
alias_method alive? all? all_symbols allbits? allocate ancestors angle any? anybits? append arg argv0 arity ascend
ascii_compatible? ascii_only? asctime assoc at at_exit atime attr attr_accessor attr_reader attr_writer autoclose?
autoload autoload? b backtrace backtrace_locations base64digest basename begin beginning_of_line? between? bind_call
binding binmode binmode? binread binwrite birthtime bit_length block_given? blockdev? bmbm bol? broadcast bsearch
bsearch_index bytes bytesize byteslice call caller caller_locations capitalize capitalize! capture2 capture2e capture3
captures casecmp casecmp? casefold? catch cause ceil center chain chardev? charpos chars chdir check check_until
children chmod chmod_R chomp chomp! chop chop! chown chown_R chr chroot chunk chunk_while clamp class class_eval
class_exec class_variable_defined? class_variable_get class_variable_set class_variables classify cleanpath clear
clock_getres clock_gettime clone close close_on_exec? close_read close_write closed? closed_read? closed_write?
codepoints coerce collect collect! collect_concat combination compact compact! compare_by_identity
compare_by_identity? compatible? concat conj conjugate const_defined? const_get const_missing const_set
const_source_location constants copy_stream coredump? count count_objects cover? cp_r crc32 crypt ctime curry cwday
cweek cwyear cycle daemon day decode decode64 decode_www_form decode_www_form_component deconstruct deconstruct_keys
deep_dup def_delegator def_delegators default default_external default_internal default_proc define_finalizer
define_method define_singleton_method deflate delete delete! delete? delete_at delete_if delete_prefix delete_prefix!
delete_suffix delete_suffix! denominator deprecate_constant deq descend detach detect difference dig digits directory?
dirname disjoint? display div divide divmod downcase downcase! downto drop drop_while dst? dump dup each each_byte
each_char each_child each_codepoint each_cons each_entry each_filename each_grapheme_cluster each_index each_key
each_line each_object each_pair each_slice each_value each_with_index each_with_object eager egid empty? encode
encode! encode64 encode_www_form encode_www_form_component encoding end end_with? enq ensure entries enum_for eof eof?
eos? eql? equal? escape euid eval even? except exception exclude_end? exec executable? executable_real? exist? exists?
exit exit! exited? exitstatus expand_path extend external_encoding extname fail fast_generate fcntl fdatasync fdiv
feed fetch fetch_values file? fileno fill filter filter! filter_map find find_all find_index finite? first
fixed_anchor? fixed_encoding? flat_map flatten flatten! flatten_merge flock floor flush fnmatch fnmatch? for_fd force
force_encoding foreach fork format freeze friday? frozen? fsync ftype full_message garbage_collect gcd gcdlcm get_byte
getbyte getc getch getgm gethostname getlocal getpgid getpgrp getpriority getrlimit gets getsid getsockopt getutc
getwd gid glob global_variables gm gmt? gmt_offset gmtime gmtoff grapheme_clusters grep grep_v group group_by groups
grpowned? gsub gsub! gunzip gzip handle_interrupt has_key? has_value? hash hex hexdigest home hour httpdate i id2name
identical? imag imaginary include include? included_modules index infinite? inflate initgroups initialize_clone
initialize_copy initialize_dup inject insert inspect instance_eval instance_exec instance_method instance_methods
instance_of? instance_variable_defined? instance_variable_get instance_variable_set instance_variables integer? intern
internal_encoding intersect? intersection invert ioctl is_a? isatty isdst iso8601 iterator? itself jd join keep_if key
key? keys kill kind_of? lambda lambda? last last_match last_status lazy lchmod lchown lcm leap? length lineno lines
link ljust ln_s ln_sf load local local_variable_defined? local_variable_get local_variable_set local_variables
localtime lock locked? loop lstat lstrip lstrip! lutime magnitude make_link make_symlink map map! marshal_dump match
match? match_length matched matched? matched_size max max_by maxgroups mday member? members merge merge! message
method method_defined? method_missing methods min min_by minmax minmax_by mjd mkdir mkdir_p mkfifo mkpath mktime
mktmpdir module_eval module_exec module_function modulo mon mon_enter mon_exit mon_synchronize monday? month
mountpoint? mtime mv name named_captures names nan? native_thread_id negative? nesting new new_cond next next!
next_day next_float next_month next_values next_year nil? nobits? none? nonzero? now nread nsec num_waiting numerator
object_id oct odd? offset one? open opendir ord original_name owned? owner p pack parameters parent parse_csv
partition path pathconf peek peek_values peep pending_interrupt? permutation phase pid pipe pipe? pointer polar pop
popen popen3 pos positive? post_match pow pp ppid pre_match pread pred prepend pretty_generate pretty_inspect
pretty_print pretty_print_cycle prev_day prev_float prev_month prev_year print printf priority private private?
private_class_method private_constant private_instance_methods private_method_defined? private_methods proc produce
product proper_subset? proper_superset? protected protected? protected_instance_methods protected_method_defined?
protected_methods public public? public_class_method public_constant public_instance_method public_instance_methods
public_method public_method_defined? public_methods public_send push putc puts pwd pwrite quo quote raise rand rassoc
rationalize read read_nonblock readable? readable_real? readbyte readchar readline readlines readlink readpartial
ready? real real? realdirpath realpath realtime rebuild receiver rect rectangular reduce refine regexp rehash reject
reject! relative? relative_path_from remainder remove_class_variable remove_instance_variable remove_method rename
reopen repeated_combination repeated_permutation replace report_on_exception require require_relative reset
respond_to? respond_to_missing? rest rest? rest_size restsize resume reverse reverse! reverse_each rewind rfc2822
rfc822 rindex rjust rm_f rm_rf rmdir rmtree root? rotate rotate! round rpartition rstrip rstrip! ruby2_keywords run
sample saturday? scan scan_full scan_until scrub scrub! search_full sec seek select select! send set_backtrace
set_encoding set_encoding_by_bom set_trace_func setbyte setgid? setpgid setpgrp setpriority setproctitle setrlimit
setsid setsockopt setuid? shellescape shelljoin shellsplit shellwords shift shuffle shuffle! signaled? signame
singleton_class singleton_class? singleton_method singleton_method_added singleton_methods size size? skip skip_until
sleep slice slice! slice_after slice_before slice_when socket? sort sort! sort_by sort_by! source_location spawn split
sprintf sqrt squeeze squeeze! srand start_with? stat status step sticky? stop? stopsig store strftime strict_decode64
strict_encode64 string strip strip! strptime sub sub! sub_ext subclasses subsec subset? subtract succ succ! success?
sum sunday? super super_method superclass superset? swapcase swapcase! symlink symlink? sync synchronize syscall
sysopen sysread sysseek system syswrite taint tainted? take take_while tally tap tell terminate termsig then
thread_variable? thread_variable_get thread_variable_set thread_variables throw thursday? times tmpdir to_a to_ary
to_c to_csv to_date to_datetime to_enum to_f to_h to_hash to_i to_int to_io to_json to_path to_proc to_r to_s to_set
to_str to_sym to_time to_yaml today tr tr! tr_s tr_s! trace_var transform_keys transform_keys! transform_values
transform_values! transpose trap truncate trust try_convert try_lock tty? tuesday? tv_nsec tv_sec tv_usec uid umask
unbind undef_method undefine_finalizer undump ungetbyte ungetc unicode_normalize unicode_normalize!
unicode_normalized? union uniq uniq! unlink unlock unpack unpack1 unscan unshift untaint untrace_var untrust
untrusted? upcase upcase! update upto urandom urlsafe_decode64 urlsafe_encode64 usec used_modules userinfo using utc
utc? utc_offset utime valid_date? valid_encoding? value value? values values_at wait wait2 wait_readable wait_writable
waitall waitpid waitpid2 wakeup warn wday wednesday? with_index with_object world_readable? world_writable? writable?
writable_real? write write_nonblock xmlschema yday year yield yield_self zero? zip zone zone_offset
`;

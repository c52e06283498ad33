/** Methods of Ruby's core classes and of the most common ones of its standard library. */
export const RUBY_LIBRARY = `
abort abort_on_exception abs abs2 absolute? absolute_path absolute_path? add add? add_trace_func advise alias_method
alive? all? allbits? allocate ancestors angle any? anybits? append arg argv0 arity ascend ascii_only? asctime assoc at
atime attr attr_accessor attr_reader attr_writer autoclose? autoload autoload? b backtrace backtrace_locations
basename begin beginning_of_line? between? binding binmode binmode? binread binwrite birthtime bit_length block_given?
blockdev? bol? bsearch bsearch_index bytes bytesize byteslice call capitalize capitalize! captures casecmp casecmp?
catch cause ceil center chain chardev? charpos chars chdir check check_until children chmod chomp chomp! chop chop!
chown chr chroot chunk chunk_while clamp class class_eval class_exec class_variable_defined? class_variable_get
class_variable_set class_variables classify cleanpath clear clock_getres clock_gettime clone close close_on_exec?
close_read close_write closed? closed_read? closed_write? codepoints coerce collect collect! collect_concat
combination compact compact! compare_by_identity compare_by_identity? concat conj conjugate const_defined? const_get
const_missing const_set const_source_location constants copy_stream count cover? crypt ctime curry cycle daemon day
decode deconstruct deconstruct_keys deep_dup default default_proc define_method define_singleton_method delete delete!
delete? delete_at delete_if delete_prefix delete_prefix! delete_suffix delete_suffix! denominator deprecate_constant
deq descend detach detect difference dig digits directory? dirname disjoint? display div divide divmod downcase
downcase! downto drop drop_while dst? dump dup each each_byte each_char each_child each_codepoint each_cons each_entry
each_filename each_grapheme_cluster each_index each_key each_line each_pair each_slice each_value each_with_index
each_with_object eager egid empty? encode encode! encoding end end_with? enq ensure entries enum_for eof eof? eos?
eql? equal? euid eval even? except exception exclude_end? exec executable? executable_real? exist? exists? exit exit!
expand_path extend external_encoding extname fcntl fdatasync fdiv feed fetch fetch_values file? fileno fill filter
filter! filter_map find find_all find_index finite? first fixed_anchor? flat_map flatten flatten! flatten_merge flock
floor flush fnmatch fnmatch? for_fd force force_encoding foreach fork format freeze friday? frozen? fsync ftype
full_message gcd gcdlcm get_byte getbyte getc getch getgm getlocal getpgid getpgrp getpriority getrlimit gets getsid
getutc getwd gid glob gm gmt? gmt_offset gmtime gmtoff grapheme_clusters grep grep_v group group_by groups grpowned?
gsub gsub! has_key? has_value? hash hex home hour i id2name identical? imag imaginary include include?
included_modules index infinite? initgroups inject insert inspect instance_eval instance_exec instance_method
instance_methods instance_of? instance_variable_defined? instance_variable_get instance_variable_set
instance_variables integer? intern internal_encoding intersect? intersection invert ioctl is_a? isatty isdst itself
join keep_if key key? keys kill kind_of? lambda lambda? last last_status lazy lchmod lchown lcm length lineno lines
link ljust load local local_variables localtime lock locked? loop lstat lstrip lstrip! lutime magnitude make_link
make_symlink map map! marshal_dump match match? match_length matched matched? matched_size max max_by maxgroups mday
member? members merge merge! message method method_defined? method_missing methods min min_by minmax minmax_by mkdir
mkfifo mkpath mktime mktmpdir module_eval module_exec module_function modulo mon monday? month mountpoint? mtime name
named_captures names nan? native_thread_id negative? new next next! next_float next_values nil? nobits? none? nonzero?
now nsec num_waiting numerator object_id oct odd? offset one? open opendir ord original_name owned? owner pack
parameters parent partition path pathconf peek peek_values peep pending_interrupt? permutation phase pid pipe pipe?
pointer polar pop popen pos positive? post_match pow pp ppid pre_match pread pred prepend pretty_print
pretty_print_cycle prev_float print printf priority private? private_class_method private_constant
private_instance_methods private_method_defined? private_methods proc product proper_subset? proper_superset?
protected? protected_instance_methods protected_method_defined? protected_methods public? public_class_method
public_constant public_instance_method public_instance_methods public_method public_method_defined? public_methods
public_send push putc puts pwd pwrite quo raise rand rassoc rationalize read read_nonblock readable? readable_real?
readbyte readchar readline readlines readlink readpartial real real? realdirpath realpath rebuild receiver rect
rectangular reduce regexp rehash reject reject! relative? relative_path_from remainder remove_class_variable
remove_instance_variable remove_method rename reopen repeated_combination repeated_permutation replace
report_on_exception require reset respond_to? respond_to_missing? rest rest? rest_size restsize reverse reverse!
reverse_each rewind rindex rjust rmdir rmtree root? rotate rotate! round rpartition rstrip rstrip! ruby2_keywords run
sample saturday? scan scan_full scan_until scrub scrub! search_full sec seek select select! send set_backtrace
set_encoding set_encoding_by_bom set_trace_func setbyte setgid? setpgid setpgrp setpriority setproctitle setrlimit
setsid setuid? shift shuffle shuffle! singleton_class singleton_class? singleton_method singleton_method_added
singleton_methods size size? skip skip_until sleep slice slice! slice_after slice_before slice_when socket? sort sort!
sort_by sort_by! source_location spawn split sprintf squeeze squeeze! start_with? stat status step sticky? stop? store
strftime string strip strip! sub sub! sub_ext subclasses subsec subset? subtract succ succ! sum sunday? super
super_method superclass superset? swapcase swapcase! symlink symlink? sync synchronize sysopen sysread sysseek system
syswrite taint tainted? take take_while tally tap tell terminate then thread_variable? thread_variable_get
thread_variable_set thread_variables throw thursday? times tmpdir to_a to_ary to_c to_enum to_f to_h to_hash to_i
to_int to_io to_json to_path to_proc to_r to_s to_set to_str to_sym tr tr! tr_s tr_s! transform_keys transform_keys!
transform_values transform_values! transpose truncate trust try_convert try_lock tty? tuesday? tv_nsec tv_sec tv_usec
uid umask unbind undef_method undump ungetbyte ungetc unicode_normalize unicode_normalize! unicode_normalized? union
uniq uniq! unlink unlock unpack unpack1 unscan unshift untaint untrust untrusted? upcase upcase! update upto usec utc
utc? utc_offset utime valid_encoding? value value? values values_at wait wait2 waitall waitpid waitpid2 wakeup warn
wday wednesday? with_index with_object world_readable? world_writable? writable? writable_real? write write_nonblock
yday year yield yield_self zero? zip zone
`;

# Records the calls that a program makes, as the reference for scores: loaded before the program (`ruby -r`). DEX_ROOT is
# the folder of the project; DEX_CALLS the file that receives one call per line, tab-separated: file, line and name as the
# caller wrote it, then file, line and name of the method, or of the class for `new`; these are empty outside the project.
# A method that a macro makes for a field (`attr_reader`, `Struct.new`) is at the line of the macro.
require "set"

root = "#{File.realpath(ENV.fetch("DEX_ROOT"))}/"
process = Process.pid
found = Set.new
inside = Hash.new do |known, path|
  real = path && File.exist?(path) ? File.realpath(path) : ""
  known[path] = real.start_with?(root) ? real.delete_prefix(root) : nil
end
class_name = Module.instance_method(:name)
classes = Hash.new do |known, made|
  name = class_name.bind_call(made)
  path, line = (Object.const_source_location(name) if name) rescue nil
  file = inside[path]
  # A class without a name (`Class.new(Base)`) is known by its base.
  named = name || !made.superclass ? [nil, nil, nil] : known[made.superclass]
  known[made] = file ? [file, line, name.split("::").last] : named
end.compare_by_identity

accessors = Hash.new do |known, (owner, name)|
  path, line = (owner.instance_method(name).source_location rescue nil)
  field = name.to_s.delete_suffix("=").to_sym
  path, line = classes[owner] if !path && Class === owner && owner < Struct && (owner.members.include?(field) rescue false)
  file = File.exist?(path.to_s) ? inside[path] : path
  known[[owner, name]] = file ? [file, line, name] : [nil, nil, nil]
end

trace = TracePoint.new(:call, :c_call) do |event|
  if event.event == :c_call
    path = inside[event.path]
    next unless path
    made = event.callee_id == :new && Class === event.self
    target = made ? classes[event.self] : accessors[[event.defined_class, event.callee_id]]
    found << [path, event.lineno, event.callee_id, *target]
    next
  end
  # The block itself, the method, and its caller.
  caller = caller_locations(2, 1)&.first
  path = caller && inside[caller.path]
  next unless path
  target = inside[event.path]
  found << [path, caller.lineno, event.callee_id, *(target ? [target, event.lineno, event.method_id] : [nil, nil, nil])]
end

at_exit do
  trace.disable
  next unless Process.pid == process
  File.write(ENV.fetch("DEX_CALLS"), found.map { |call| "#{call.join("\t")}\n" }.join)
end
trace.enable

# Records the calls that a program makes, as the reference for scores: loaded before the program (`ruby -r`). DEX_ROOT is
# the folder of the project; DEX_CALLS the file that receives one call per line, tab-separated: file, line and name as the
# caller wrote it, then file, line and name of the method, or of the class for `new`; these are empty outside the project.
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
  known[made] = file ? [file, line, name.split("::").last] : [nil, nil, nil]
end.compare_by_identity

trace = TracePoint.new(:call, :c_call) do |event|
  if event.event == :c_call
    path = inside[event.path]
    next unless path
    made = event.callee_id == :new && Class === event.self
    found << [path, event.lineno, event.callee_id, *(made ? classes[event.self] : [nil, nil, nil])]
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

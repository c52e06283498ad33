<?php
// Records the calls that a program makes, as the reference for scores: loaded before the program (`auto_prepend_file`),
// with Xdebug in the mode `trace`. DEX_ROOT is the folder of the project; DEX_CALLS the file that receives one call per
// line, tab-separated: file, line and name as the caller wrote it, then file, line and name of a definition that is right;
// these are empty outside the project. A call has a line for each of them.
(function () {
    $root = realpath(getenv("DEX_ROOT")) . "/";
    $trace = xdebug_start_trace(getenv("DEX_CALLS") . ".trace", XDEBUG_TRACE_COMPUTERIZED | XDEBUG_TRACE_NAKED_FILENAME);
    $inside = fn ($path) => is_string($path) && str_starts_with($path, $root) && !str_contains($path, "eval()'d") ? substr($path, strlen($root)) : null;
    $place = function ($found, string $name) use ($inside): array {
        $path = $inside($found->getFileName());
        return $path === null ? [] : [[$path, $found->getStartLine(), $name]];
    };
    // The function, and the methods that it overrides: what a reader of the call would name. `new` leads to a class, too.
    // A class of a test, or one that a test makes of an interface, may override methods of the project.
    $definitions = function (string $function) use ($place): array {
        try {
            $parts = preg_split('/->|::/', $function);
            if (count($parts) === 1) return $place($made = new ReflectionFunction($function), $made->getShortName());
            $method = new ReflectionMethod($parts[0], $parts[1]);
        } catch (ReflectionException) {
            return [];
        }
        $name = $method->getName();
        $found = $place($method, $name);
        if ($found === [] && $name === "__construct") return [];
        $owner = $method->getDeclaringClass();
        for ($base = $owner->getParentClass(); $base; $base = $base->getParentClass()) {
            if ($base->hasMethod($name)) $found = [...$found, ...$place($base->getMethod($name), $name)];
        }
        foreach ([...$owner->getInterfaces(), ...$owner->getTraits()] as $base) {
            if ($base->hasMethod($name)) $found = [...$found, ...$place($base->getMethod($name), $name)];
        }
        if ($name !== "__construct") return $found;
        foreach (get_declared_classes() as $each) {
            $class = new ReflectionClass($each);
            if ($class->getConstructor()?->getDeclaringClass()->getName() !== $owner->getName()) continue;
            if (!$class->isAnonymous()) $found = [...$found, ...$place($class, $class->getShortName())];
        }
        return $found;
    };
    register_shutdown_function(function () use ($trace, $inside, $definitions) {
        xdebug_stop_trace();
        $found = $known = [];
        $rows = fopen($trace, "r");
        while (($row = fgets($rows)) !== false) {
            $fields = explode("\t", rtrim($row, "\n"));
            if (count($fields) < 10 || $fields[2] !== "0") continue;
            $function = $fields[5];
            $path = $inside($fields[8]);
            if ($path === null || str_contains($function, "{")) continue;
            $parts = preg_split('/->|::|\\\\/', $function);
            $key = "$path\t{$fields[9]}\t$function";
            if (isset($found[$key])) continue;
            $known[$function] ??= $definitions($function) ?: [["", "", ""]];
            $asRow = fn ($to) => implode("\t", [$path, $fields[9], end($parts), ...$to]);
            $found[$key] = implode("\n", array_map($asRow, $known[$function]));
        }
        unlink($trace);
        file_put_contents(getenv("DEX_CALLS"), implode("\n", $found) . "\n");
    });
})();

// Reads the calls of a C# project from its compiled form, as the reference for scores: the arguments are the compiled
// assembly, with its symbols, and the folder of the sources. Prints JSON. Built and run by csharp.py with Mono.Cecil.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.CompilerServices.SymbolWriter;

class Point
{
    public int Offset;
    public int Line;
    public string File;
}

static class CSharpCalls
{
    static readonly StringBuilder json = new StringBuilder();
    static MonoSymbolFile symbols;
    static readonly Dictionary<MethodDefinition, List<Point>> known = new Dictionary<MethodDefinition, List<Point>>();

    static void Main(string[] args)
    {
        var resolver = new DefaultAssemblyResolver();
        resolver.AddSearchDirectory("/usr/lib/mono/4.5");
        var module = ModuleDefinition.ReadModule(args[0], new ReaderParameters { AssemblyResolver = resolver });
        symbols = MonoSymbolFile.ReadSymbolFile(args[0] + ".mdb");
        var types = module.GetTypes().ToList();
        var overrides = Overrides(types);
        json.Append("{\"methods\":[");
        var first = true;
        foreach (var method in types.SelectMany(type => type.Methods).Where(method => method.HasBody))
        {
            var points = Points(method);
            if (points.Count == 0) continue;
            if (!first) json.Append(",\n");
            first = false;
            json.Append("{\"file\":" + Quote(points[0].File));
            json.Append(",\"lines\":[" + string.Join(",", points.Select(point => point.Line).Distinct()) + "]");
            json.Append(",\"calls\":[");
            json.Append(string.Join(",", Calls(method, points, module, overrides)));
            json.Append("]}");
        }
        json.Append("]}");
        Console.Out.Write(json);
    }

    /** The lines of the text that its instructions belong to. */
    static List<Point> Points(MethodDefinition method)
    {
        List<Point> points;
        if (known.TryGetValue(method, out points)) return points;
        points = new List<Point>();
        known[method] = points;
        var entry = method.HasBody ? symbols.GetMethodByToken((int)method.MetadataToken.ToUInt32()) : null;
        if (entry == null) return points;
        foreach (var line in entry.GetLineNumberTable().LineNumbers)
            if (!line.IsHidden && line.Row < 0xf00000)
                points.Add(new Point { Offset = line.Offset, Line = line.Row, File = symbols.GetSourceFile(line.File).FileName });
        return points;
    }

    static IEnumerable<string> Calls(MethodDefinition method, List<Point> points, ModuleDefinition module,
        Dictionary<MethodDefinition, List<MethodDefinition>> overrides)
    {
        foreach (var instruction in method.Body.Instructions)
        {
            var reference = instruction.Operand as MethodReference;
            if (reference == null) continue;
            var point = points.LastOrDefault(each => each.Offset <= instruction.Offset) ?? points[0];
            var found = Resolve(reference);
            var inside = found != null && found.Module == module;
            var targets = new List<MethodDefinition>();
            if (inside) targets.Add(found);
            if (inside && overrides.ContainsKey(found)) targets.AddRange(overrides[found]);
            var kind = instruction.OpCode.Code.ToString().ToLowerInvariant();
            yield return "{\"line\":" + point.Line + ",\"kind\":" + Quote(kind) + ",\"name\":" + Quote(reference.Name)
                + ",\"type\":" + Quote(Plain(reference.DeclaringType.Name))
                + ",\"special\":" + (found != null && (found.IsGetter || found.IsSetter || found.IsAddOn || found.IsRemoveOn) ? "true" : "false")
                + ",\"virtual\":" + (found != null && found.IsVirtual ? "true" : "false")
                + ",\"targets\":[" + string.Join(",", targets.Select(Target)) + "]}";
        }
    }

    static string Target(MethodDefinition method)
    {
        var point = Points(method).FirstOrDefault();
        // The body of an iterator or an asynchronous method is in a class that the compiler makes.
        if (point == null || method.DeclaringType.Name.StartsWith("<"))
            point = method.HasBody ? StateMachine(method) ?? point : point;
        var type = Plain(method.DeclaringType.Name);
        return "{\"type\":" + Quote(type) + ",\"name\":" + Quote(Short(method.Name)) + ",\"made\":"
            + (method.DeclaringType.Name.StartsWith("<") || method.Name.StartsWith("<") ? "true" : "false")
            + ",\"arguments\":" + method.Parameters.Count
            + (point == null ? "" : ",\"file\":" + Quote(point.File) + ",\"line\":" + point.Line) + "}";
    }

    static Point StateMachine(MethodDefinition method)
    {
        foreach (var instruction in method.Body.Instructions)
        {
            var type = (instruction.Operand as MethodReference)?.DeclaringType?.Resolve();
            if (type == null || !type.Name.StartsWith("<") || type.DeclaringType != method.DeclaringType) continue;
            var next = type.Methods.FirstOrDefault(each => each.Name == "MoveNext" && each.HasBody);
            var point = next == null ? null : Points(next).FirstOrDefault();
            if (point != null) return point;
        }
        return null;
    }

    /** A virtual call names the first declaration: the text may mean a method that overrides it. */
    static Dictionary<MethodDefinition, List<MethodDefinition>> Overrides(List<TypeDefinition> types)
    {
        var found = new Dictionary<MethodDefinition, List<MethodDefinition>>();
        foreach (var method in types.SelectMany(type => type.Methods).Where(each => each.IsVirtual && !each.IsNewSlot))
        {
            for (var at = Base(method.DeclaringType); at != null; at = Base(at))
            {
                var same = at.Methods.FirstOrDefault(each => each.IsVirtual && Signature(each) == Signature(method));
                if (same == null) continue;
                if (!found.ContainsKey(same)) found[same] = new List<MethodDefinition>();
                found[same].Add(method);
            }
        }
        return found;
    }

    static string Signature(MethodDefinition method)
    {
        return method.Name + "(" + string.Join(",", method.Parameters.Select(each => each.ParameterType.FullName)) + ")";
    }

    static TypeDefinition Base(TypeDefinition type)
    {
        try { return type.BaseType?.Resolve(); } catch (AssemblyResolutionException) { return null; }
    }

    static MethodDefinition Resolve(MethodReference reference)
    {
        try { return reference.Resolve(); } catch (AssemblyResolutionException) { return null; }
    }

    /** An explicit implementation has the name of its interface before its own. */
    static string Short(string name)
    {
        return name.StartsWith(".") ? name : name.Substring(name.LastIndexOf('.') + 1);
    }

    static string Plain(string name)
    {
        var tick = name.IndexOf('`');
        return tick < 0 ? name : name.Substring(0, tick);
    }

    static string Quote(string text)
    {
        return "\"" + text.Replace("\\", "\\\\").Replace("\"", "\\\"") + "\"";
    }
}

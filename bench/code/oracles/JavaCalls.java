import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * Reads calls with the Java compiler, as the reference for scores: the folder is the argument, paths of files come on
 * standard input. Prints JSON. Calls that the compiler cannot attribute (a library is missing) are listed as undecided.
 */
public class JavaCalls {
  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]).toRealPath();
    List<File> files = new ArrayList<>();
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    for (String line = input.readLine(); line != null; line = input.readLine())
      if (line.endsWith(".java") && !line.endsWith("-info.java")) files.add(root.resolve(line).toFile());
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
    JavacTask task = (JavacTask) compiler.getTask(null, manager, d -> {}, List.of("-proc:none", "-Xmaxerrs", "100000"), null,
        manager.getJavaFileObjectsFromFiles(files));
    List<CompilationUnitTree> units = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) units.add(unit);
    task.analyze();
    Trees trees = Trees.instance(task);
    SourcePositions positions = trees.getSourcePositions();
    StringBuilder calls = new StringBuilder();
    StringBuilder undecided = new StringBuilder();
    for (CompilationUnitTree unit : units) {
      String path = pathOf(root, unit);
      new TreePathScanner<Void, Void>() {
        @Override public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
          ExpressionTree select = node.getMethodSelect();
          String name = select instanceof MemberSelectTree member ? member.getIdentifier().toString() : select.toString();
          add(new TreePath(getCurrentPath(), select), positions.getEndPosition(unit, select), name);
          return super.visitMethodInvocation(node, nothing);
        }
        @Override public Void visitNewClass(NewClassTree node, Void nothing) {
          String type = node.getIdentifier().toString().replaceAll("<.*", "");
          // An anonymous class is a kind of the class that it names.
          TreePath made = node.getClassBody() == null ? getCurrentPath() : new TreePath(getCurrentPath(), node.getIdentifier());
          add(made, positions.getEndPosition(unit, node.getIdentifier()), type.substring(type.lastIndexOf('.') + 1));
          return super.visitNewClass(node, nothing);
        }
        @Override public Void visitMemberReference(MemberReferenceTree node, Void nothing) {
          add(getCurrentPath(), positions.getEndPosition(unit, node), node.getName().toString());
          return super.visitMemberReference(node, nothing);
        }
        void add(TreePath at, long end, String name) {
          // Calls that the compiler adds have no place.
          if (end <= 0) return;
          Element found = trees.getElement(at);
          long line = unit.getLineMap().getLineNumber(Math.max(0, end - 1));
          if (found == null || found.asType().getKind() == javax.lang.model.type.TypeKind.ERROR) {
            undecided.append(undecided.isEmpty() ? "" : ",").append(quote(path + ":" + line + ":" + name));
            return;
          }
          List<String> targets = new ArrayList<>();
          target(found, targets);
          if (found.getKind() == ElementKind.CONSTRUCTOR) target(found.getEnclosingElement(), targets);
          if (targets.isEmpty()) return;
          calls.append(calls.isEmpty() ? "" : ",").append("{\"path\":").append(quote(path)).append(",\"line\":").append(line)
              .append(",\"targets\":[").append(String.join(",", targets)).append("]}");
        }
        void target(Element element, List<String> targets) {
          TreePath place = trees.getPath(element);
          if (place == null) return;
          CompilationUnitTree other = place.getCompilationUnit();
          long start = positions.getEndPosition(other, place.getLeaf());
          String name = element.getKind() == ElementKind.CONSTRUCTOR ? element.getEnclosingElement().getSimpleName().toString()
              : element.getSimpleName().toString();
          if (start < 0) return;
          targets.add("{\"path\":" + quote(pathOf(root, other)) + ",\"name\":" + quote(name) + ",\"line\":"
              + other.getLineMap().getLineNumber(start - 1) + "}");
        }
      }.scan(unit, null);
    }
    System.out.println("{\"calls\":[" + calls + "],\"imports\":[],\"undecided\":[" + undecided + "]}");
  }

  static String pathOf(Path root, CompilationUnitTree unit) {
    return root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
  }

  static String quote(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\s+", " ") + '"';
  }
}

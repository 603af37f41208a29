import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs several programs in one JVM, one after the other, since an SDK takes seconds to load: each
 * with arguments of its own, "--" between two. What one says stands below its name.
 */
public final class Together {
  private Together() {}

  private static void run(List<String> program) throws ReflectiveOperationException {
    System.out.println("== " + program.get(0));
    var arguments = program.subList(1, program.size()).toArray(String[]::new);
    try {
      Class.forName(program.get(0)).getMethod("main", String[].class).invoke(null, (Object) arguments);
    } catch (InvocationTargetException e) {
      e.getCause().printStackTrace();
    }
  }

  public static void main(String[] args) throws ReflectiveOperationException {
    var program = new ArrayList<String>();
    for (var argument : args) {
      if (argument.equals("--")) {
        run(program);
        program.clear();
      } else {
        program.add(argument);
      }
    }
    run(program);
  }
}

package dev.sequitur.laboratory.jars;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Takes from jars what makes each start of a JVM slow, and what nobody here needs.
 *
 * <ul>
 *   <li>Lambdas that can be serialized, as all of Scala's can and many of Akka's Java API. A JVM
 *       keeps the classes of other ones in its ahead-of-time cache, and makes those of these anew.
 *   <li>Sections of a manifest that say nothing. The one of Scala's library has one for each class,
 *       and is read whole.
 * </ul>
 */
public final class FastJars {
  private static final int API = Opcodes.ASM9;
  private static final String LAMBDAS = Type.getInternalName(LambdaMetafactory.class);
  private static final Handle PLAIN =
      new Handle(
          Opcodes.H_INVOKESTATIC,
          LAMBDAS,
          "metafactory",
          MethodType.methodType(
                  CallSite.class,
                  MethodHandles.Lookup.class,
                  String.class,
                  MethodType.class,
                  MethodType.class,
                  MethodHandle.class,
                  MethodType.class)
              .toMethodDescriptorString(),
          false);

  /** What both factories take: the method's type, its implementation, its type in use. */
  private static final int SHARED_ARGUMENTS = 3;

  /**
   * They have one method without a body, of one erasure, so a bridge that is named is never called.
   * Of another one a lambda might be cast to what it is no more: {@code (Runnable & Serializable)}.
   */
  private static final Pattern CHANGED =
      Pattern.compile(
          "scala/(Function\\d+|runtime/java8/JFunction\\d+[\\w$]*)|akka/japi/function/\\w+");

  private FastJars() {}

  /**
   * Changes the jars of a folder in place. Jars that have been changed stay as they are.
   *
   * @param arguments the folder
   */
  public static void main(String... arguments) throws IOException {
    try (var jars = Files.newDirectoryStream(Path.of(arguments[0]), "*.jar")) {
      for (var jar : jars) {
        change(jar);
      }
    }
  }

  private static void change(Path jar) throws IOException {
    try (var content = FileSystems.newFileSystem(jar);
        var files = Files.walk(content.getPath("/"))) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        String name = file.toString();
        if (name.equals("/META-INF/MANIFEST.MF")) {
          byte[] before = Files.readAllBytes(file);
          write(file, before, withoutEmptySections(before));
        } else if (name.endsWith(".class")) {
          byte[] before = Files.readAllBytes(file);
          write(file, before, withPlainLambdas(before));
        }
      }
    }
  }

  private static void write(Path file, byte[] before, byte[] after) throws IOException {
    if (after != before) {
      Files.write(file, after);
    }
  }

  /**
   * @return the same array if there is nothing to change
   */
  static byte[] withoutEmptySections(byte[] bytes) throws IOException {
    var manifest = new Manifest(new ByteArrayInputStream(bytes));
    if (!manifest.getEntries().values().removeIf(section -> section.isEmpty())) {
      return bytes;
    }
    var out = new ByteArrayOutputStream();
    manifest.write(out);
    return out.toByteArray();
  }

  /**
   * @return the same array if there is nothing to change
   */
  static byte[] withPlainLambdas(byte[] classFile) {
    var reader = new ClassReader(classFile);
    var writer = new ClassWriter(reader, 0);
    var plain = new PlainLambdas(writer);
    reader.accept(plain, 0);
    return plain.changed ? writer.toByteArray() : classFile;
  }

  /** Names the plain factory wherever a lambda has no more to it than that it is serializable. */
  private static final class PlainLambdas extends ClassVisitor {
    private boolean changed;

    private PlainLambdas(ClassVisitor next) {
      super(API, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      var next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(API, next) {
        @Override
        public void visitInvokeDynamicInsn(
            String method, String type, Handle factory, Object... arguments) {
          if (isSerializableAlone(type, factory, arguments)) {
            changed = true;
            super.visitInvokeDynamicInsn(
                method, type, PLAIN, Arrays.copyOf(arguments, SHARED_ARGUMENTS));
          } else {
            super.visitInvokeDynamicInsn(method, type, factory, arguments);
          }
        }
      };
    }

    private static boolean isSerializableAlone(String type, Handle factory, Object[] arguments) {
      return factory.getOwner().equals(LAMBDAS)
          && factory.getName().equals("altMetafactory")
          && arguments[SHARED_ARGUMENTS] instanceof Integer flags
          && (flags & ~LambdaMetafactory.FLAG_BRIDGES) == LambdaMetafactory.FLAG_SERIALIZABLE
          && CHANGED.matcher(Type.getReturnType(type).getInternalName()).matches();
    }
  }
}

package dev.sequitur.laboratory.jars;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FastJarsTest {
  private static final String MANIFEST =
      """
      Manifest-Version: 1.0
      Automatic-Module-Name: some.thing

      Name: some/Thing.class

      Name: some/
      Sealed: true

      """;

  /** Of no method. */
  public interface Marker {}

  /** Makes a lambda of each kind. */
  public static final class Lambdas implements Supplier<Map<String, Object>> {
    @Override
    public Map<String, Object> get() {
      akka.japi.function.Function<Integer, Integer> ofAkka = number -> number + 1;
      var cast = (Function<Integer, Integer> & Serializable) number -> number + 2;
      Function<Integer, Integer> plain = number -> number + 3;
      var marked = (akka.japi.function.Function<Integer, Integer> & Marker) number -> number + 4;
      return Map.of("of Akka", ofAkka, "cast", cast, "plain", plain, "marked", marked);
    }
  }

  /** Loads one class from bytes, and all others as they are. */
  private static final class Loader extends ClassLoader {
    private final byte[] bytes;

    private Loader(byte[] bytes) {
      super(FastJarsTest.class.getClassLoader());
      this.bytes = bytes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(Lambdas.class.getName())) {
        return super.loadClass(name, resolve);
      }
      var loaded = findLoadedClass(name);
      return loaded == null ? defineClass(name, bytes, 0, bytes.length) : loaded;
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void aLambdaDoesTheSameAndHasNothingForBeingSerialized() throws Exception {
    assertThat(lambdas(bytes(Lambdas.class)).get("of Akka")).satisfies(this::canBeWritten);

    var changed = lambdas(FastJars.withPlainLambdas(bytes(Lambdas.class))).get("of Akka");

    assertThat(((akka.japi.function.Function<Integer, Integer>) changed).apply(1)).isEqualTo(2);
    assertThatThrownBy(() -> canBeWritten(changed)).isInstanceOf(AssertionError.class);
  }

  @Test
  @SuppressWarnings("unchecked")
  void oneOfAnotherInterfaceStays() throws Exception {
    var changed = lambdas(FastJars.withPlainLambdas(bytes(Lambdas.class)));

    assertThat(changed.get("cast")).satisfies(this::canBeWritten);
    assertThat(((Function<Integer, Integer>) changed.get("cast")).apply(1)).isEqualTo(3);
    assertThat(((Function<Integer, Integer>) changed.get("plain")).apply(1)).isEqualTo(4);
  }

  @Test
  void oneThatIsOfASecondInterfaceStays() throws Exception {
    var marked = lambdas(FastJars.withPlainLambdas(bytes(Lambdas.class))).get("marked");

    assertThat(marked).isInstanceOf(Marker.class).satisfies(this::canBeWritten);
  }

  @Test
  void oneOfScalaIsChangedAlthoughABridgeIsNamed() throws Exception {
    byte[] before = bytes(Class.forName("akka.cluster.ClusterSettings"));

    byte[] after = FastJars.withPlainLambdas(before);

    assertThat(after).isNotSameAs(before);
    assertThat(FastJars.withPlainLambdas(after)).isSameAs(after);
  }

  @Test
  void aClassWithoutSuchLambdasStaysTheSame() {
    byte[] without = bytes(FastJars.class);

    assertThat(FastJars.withPlainLambdas(without)).isSameAs(without);
  }

  @Test
  void aManifestKeepsTheSectionsThatSaySomething() throws Exception {
    var after = FastJars.withoutEmptySections(MANIFEST.getBytes(UTF_8));

    var manifest = new Manifest(new ByteArrayInputStream(after));
    assertThat(manifest.getMainAttributes().getValue("Automatic-Module-Name"))
        .isEqualTo("some.thing");
    assertThat(manifest.getEntries()).containsOnlyKeys("some/");
    assertThat(manifest.getAttributes("some/").getValue("Sealed")).isEqualTo("true");
    assertThat(FastJars.withoutEmptySections(after)).isSameAs(after);
  }

  @Test
  void theJarsOfAFolderAreChangedInPlace(@TempDir Path folder) throws Exception {
    var jar = folder.resolve("one.jar");
    try (var content =
        FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of("create", "true"))) {
      Files.write(content.getPath("Lambdas.class"), bytes(Lambdas.class));
      Files.writeString(content.getPath("note.txt"), "stays");
      Files.createDirectory(content.getPath("META-INF"));
      Files.writeString(content.getPath("META-INF", "MANIFEST.MF"), MANIFEST);
    }

    FastJars.main(folder.toString());

    try (var content = FileSystems.newFileSystem(jar)) {
      assertThat(Files.readAllBytes(content.getPath("Lambdas.class")))
          .isEqualTo(FastJars.withPlainLambdas(bytes(Lambdas.class)));
      assertThat(content.getPath("note.txt")).hasContent("stays");
      assertThat(Files.readAllBytes(content.getPath("META-INF", "MANIFEST.MF")))
          .isEqualTo(FastJars.withoutEmptySections(MANIFEST.getBytes(UTF_8)));
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> lambdas(byte[] classFile) throws Exception {
    var made =
        new Loader(classFile)
            .loadClass(Lambdas.class.getName())
            .getDeclaredConstructor()
            .newInstance();
    return ((Supplier<Map<String, Object>>) made).get();
  }

  /** A lambda that can be serialized is written as what makes it anew. */
  private void canBeWritten(Object lambda) {
    assertThat(lambda.getClass().getDeclaredMethods())
        .extracting(Method::getName)
        .contains("writeReplace");
  }

  private static byte[] bytes(Class<?> type) {
    try (var in = type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

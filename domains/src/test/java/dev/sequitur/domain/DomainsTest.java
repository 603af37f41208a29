package dev.sequitur.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.port.Domain;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DomainsTest {
  @TempDir Path jar;

  @Test
  void shipsTokensRecordsAndNoto() {
    var domains = Domains.load();

    assertThat(domains.byName()).containsOnlyKeys("token", "record", "noto");
    assertThat(domains.find("token")).containsInstanceOf(TokenDomain.class);
    assertThat(domains.find("other")).isEmpty();
  }

  @Test
  void theReadmeNamesEachShippedDomain() throws IOException {
    var readme = Files.readString(Path.of("..", "README.md"));

    assertThat(Domains.load().byName().keySet())
        .allMatch(name -> readme.contains("`" + name + "` "));
  }

  @Test
  void addsTheDomainsOfOtherJars() throws IOException {
    try (var classes = classesWith(AddedDomain.class)) {
      var domains = Domains.load(classes);

      assertThat(domains.byName()).containsOnlyKeys("token", "record", "noto", "added");
    }
  }

  @Test
  void refusesASecondDomainOfOneName() throws IOException {
    try (var classes = classesWith(AnotherToken.class)) {
      assertThatThrownBy(() -> Domains.load(classes))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Two domains are called 'token'");
    }
  }

  private URLClassLoader classesWith(Class<?>... factories) throws IOException {
    var services = Files.createDirectories(jar.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(DomainFactory.class.getName()),
        Arrays.stream(factories).map(Class::getName).collect(Collectors.joining("\n")));
    return new URLClassLoader(new URL[] {jar.toUri().toURL()}, getClass().getClassLoader());
  }

  /** A domain of another jar. */
  public static final class AddedDomain implements DomainFactory {
    @Override
    public Domain create() {
      return domain("added");
    }
  }

  /** A domain that takes a shipped one's name. */
  public static final class AnotherToken implements DomainFactory {
    @Override
    public Domain create() {
      return new TokenDomain();
    }
  }

  private static Domain domain(String name) {
    var token = new TokenDomain();
    return (Domain)
        Proxy.newProxyInstance(
            DomainsTest.class.getClassLoader(),
            new Class<?>[] {Domain.class},
            (proxy, method, arguments) ->
                method.getName().equals("name") ? name : method.invoke(token, arguments));
  }
}

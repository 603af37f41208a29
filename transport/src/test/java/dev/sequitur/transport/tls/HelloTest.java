package dev.sequitur.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.selection.SelectionPolicy;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HelloTest {
  private static final Hello WITHOUT_TERMS =
      new Hello(
          ProtocolVersion.CURRENT, new NodeName("node2"), new NodeName("node1"), Optional.empty());
  private static final Hello WITH_TERMS =
      new Hello(
          ProtocolVersion.CURRENT,
          new NodeName("node2"),
          new NodeName("node1"),
          Optional.of(new NetworkTerms(new SelectionPolicy(100, 128), 1337)));

  @Test
  void whatWasSaidIsHeard() throws IOException {
    assertThat(Hello.of(WITHOUT_TERMS.toBytes())).isEqualTo(WITHOUT_TERMS);
    assertThat(Hello.of(WITH_TERMS.toBytes())).isEqualTo(WITH_TERMS);
  }

  @Test
  void whatALaterVersionAddsAtTheEndIsIgnored() throws IOException {
    var bytes = WITH_TERMS.toBytes();

    assertThat(Hello.of(Arrays.copyOf(bytes, bytes.length + 1))).isEqualTo(WITH_TERMS);
  }

  @Test
  void termsThatAreNotAllThereAreNone() throws IOException {
    var bytes = WITH_TERMS.toBytes();

    assertThat(Hello.of(Arrays.copyOf(bytes, bytes.length - 1))).isEqualTo(WITHOUT_TERMS);
  }

  @Test
  void whatIsNoHelloIsRefusedInOneWay() {
    var bytes = WITHOUT_TERMS.toBytes();
    var noVersion = bytes.clone();
    noVersion[2] = 'x';

    assertThatThrownBy(() -> Hello.of(noVersion)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Hello.of(Arrays.copyOf(bytes, bytes.length - 1)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Hello.of(new byte[0])).isInstanceOf(IOException.class);
  }
}

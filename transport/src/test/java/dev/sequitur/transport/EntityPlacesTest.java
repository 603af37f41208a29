package dev.sequitur.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EntityPlacesTest {
  private static final EntityPlaces THREE =
      EntityPlaces.named(
          "b", IntStream.range(0, 128).mapToObj(i -> "abc".charAt(i % 3) + "").toList());

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    assertThat(EntityPlaces.of(THREE.toBytes())).isEqualTo(THREE);
    assertThat(THREE.jvmCount()).isEqualTo(3);
  }

  @Test
  void tenJvmsFitIntoAFrameOfAHello() {
    var ten = IntStream.range(0, 2_048).mapToObj(i -> "jvm" + i % 10).toList();

    assertThat(EntityPlaces.named("jvm1", ten).toBytes()).hasSizeLessThan(4_096);
  }

  @Test
  void moreThanAPeerMayMakeUsKeepIsRefused() {
    assertThatThrownBy(() -> new EntityPlaces(1, Collections.nCopies(2_049, 1L)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new EntityPlaces(1, LongStream.range(0, 128).boxed().toList()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new EntityPlaces(1, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsMalformedIsAnIoException() {
    var bytes = THREE.toBytes();
    for (int length = 0; length < bytes.length; length++) {
      var cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> EntityPlaces.of(cut)).isInstanceOf(IOException.class);
    }
    bytes[bytes.length - 1] = 77;
    assertThatThrownBy(() -> EntityPlaces.of(bytes)).isInstanceOf(IOException.class);
  }
}

package dev.sequitur.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {
  private static final int MOST = 9;

  @ParameterizedTest
  @EnumSource
  void whatWasWrittenIsRead(Frame.Kind kind) throws IOException {
    for (int length : new int[] {0, 1, MOST}) {
      var read = read(written(kind, new byte[length]));

      assertThat(read.kind()).isEqualTo(kind);
      assertThat(read.body()).hasSize(length);
    }
  }

  @Test
  void oneByteMoreThanIsAllowedIsTooMuch() {
    assertThatThrownBy(() -> read(written(Frame.Kind.ENVELOPES, new byte[MOST + 1])))
        .isInstanceOf(Frame.TooLarge.class);
  }

  /** There is a kind in each. */
  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void aLengthThatCannotBeEndsTheConnection(int length) {
    var bytes = ByteBuffer.allocate(Integer.BYTES + 1).putInt(length).put((byte) 5).array();

    assertThatThrownBy(() -> read(bytes)).isInstanceOf(IOException.class);
  }

  @Test
  void aKindThatALaterVersionMayKnowIsPassedOver() throws IOException {
    var unknown = written(Frame.Kind.PING, new byte[] {1, 2, 3});
    unknown[Integer.BYTES] = 99;
    var next = written(Frame.Kind.PONG, new byte[0]);

    assertThat(read(ByteBuffer.allocate(20).put(unknown).put(next).array()).kind())
        .isEqualTo(Frame.Kind.PONG);
  }

  @Test
  void aBodyThatEndsTooSoonIsNone() {
    var whole = written(Frame.Kind.ENVELOPES, new byte[MOST]);
    var part = ByteBuffer.allocate(whole.length - 1).put(whole, 0, whole.length - 1).array();

    assertThatThrownBy(() -> read(part)).isInstanceOf(IOException.class);
  }

  private static Frame read(byte[] bytes) throws IOException {
    return Frame.readFrom(new DataInputStream(new ByteArrayInputStream(bytes)), MOST);
  }

  private static byte[] written(Frame.Kind kind, byte[] body) {
    var bytes = new ByteArrayOutputStream();
    try {
      new Frame(kind, body).writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }
}

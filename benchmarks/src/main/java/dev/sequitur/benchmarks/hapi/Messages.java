package dev.sequitur.benchmarks.hapi;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import dev.sequitur.schedule.signing.AccountTransactionId;
import java.util.List;

/** The few messages that a load asks and reads, by their field numbers. */
final class Messages {
  private static final long NANOS = 1_000_000_000;

  private Messages() {}

  /** The question for a receipt. */
  static byte[] receiptOf(AccountTransactionId id) {
    var start =
        UnknownFieldSet.newBuilder()
            .addField(1, number(id.validStart().seconds()))
            .addField(2, number(id.validStart().nanos() % NANOS));
    var account = UnknownFieldSet.newBuilder().addField(3, number(id.account().number()));
    var transaction =
        UnknownFieldSet.newBuilder().addField(1, content(start)).addField(2, content(account));
    var question = UnknownFieldSet.newBuilder().addField(2, content(transaction));
    return UnknownFieldSet.newBuilder().addField(14, content(question)).build().toByteArray();
  }

  private static Field number(long value) {
    return Field.newBuilder().addVarint(value).build();
  }

  private static Field content(UnknownFieldSet.Builder message) {
    return Field.newBuilder().addLengthDelimited(message.build().toByteString()).build();
  }

  /** What a transaction is answered at once: 0 if it is taken. */
  static long precheck(byte[] answer) {
    return find(answer, List.of(), 1);
  }

  /** The code of a receipt. */
  static long status(byte[] answer) {
    return find(answer, List.of(14, 2), 1);
  }

  /** The number of the schedule in a receipt; 0 if there is none. */
  static long schedule(byte[] answer) {
    return find(answer, List.of(14, 2, 12), 3);
  }

  /** A number in the first message at the end of a path of fields; 0 if it is not there. */
  private static long find(byte[] message, List<Integer> path, int number) {
    try {
      var in = ByteString.copyFrom(message);
      for (int field : path) {
        var messages = UnknownFieldSet.parseFrom(in).getField(field).getLengthDelimitedList();
        in = messages.isEmpty() ? ByteString.EMPTY : messages.getFirst();
      }
      var numbers = UnknownFieldSet.parseFrom(in).getField(number).getVarintList();
      return numbers.isEmpty() ? 0 : numbers.getFirst();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("The answer is no message.", e);
    }
  }
}

package dev.sequitur.scheduler.body;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.ResponseCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The fields of one protobuf message by their numbers, in the order in which they came. Stricter
 * than protobuf itself, since nobody is to sign what others read differently: a field that a reader
 * does not take, a single one that comes twice (others merge them, or read the last), a number that
 * is longer than it need be, and a value that its type cannot hold are refused.
 */
final class MessageFields {
  private static final long MOST_UINT32 = 0xFFFF_FFFFL;
  private static final int LONGEST_VARINT = 10;

  private final String message;
  private final List<Field> left = new ArrayList<>();

  /**
   * @param content empty for a number
   */
  private record Field(int number, long value, Optional<Bytes> content) {
    boolean isZero() {
      return content.isEmpty() && value == 0;
    }

    boolean isEmpty() {
      return content.filter(Bytes::isEmpty).isPresent();
    }
  }

  private MessageFields(String message) {
    this.message = message;
  }

  /**
   * @param message its name, for what is said of unreadable ones
   */
  static MessageFields of(String message, Bytes bytes) throws UnreadableMessageException {
    var fields = new MessageFields(message);
    var array = bytes.toByteArray();
    var input = CodedInputStream.newInstance(array);
    try {
      while (!input.isAtEnd()) {
        fields.left.add(fields.read(input, array));
      }
    } catch (IOException e) {
      throw new UnreadableMessageException("These bytes are no " + message + ".");
    }
    return fields;
  }

  private Field read(CodedInputStream input, byte[] array)
      throws IOException, UnreadableMessageException {
    long tag = readVarint(input, array);
    if (tag < 0 || tag > MOST_UINT32 || WireFormat.getTagFieldNumber((int) tag) == 0) {
      throw unreadable("has a field whose number protobuf does not know");
    }
    int number = WireFormat.getTagFieldNumber((int) tag);
    return switch (WireFormat.getTagWireType((int) tag)) {
      case WireFormat.WIRETYPE_VARINT ->
          new Field(number, readVarint(input, array), Optional.empty());
      case WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
        long length = readVarint(input, array);
        if (length < 0 || length > array.length) {
          throw unreadable("has a field " + number + " that is longer than the message");
        }
        yield new Field(number, 0, Optional.of(Bytes.of(input.readRawBytes((int) length))));
      }
      default -> throw unreadable("has a field " + number + " of a kind that is not used here");
    };
  }

  /** In the one way in which it can be written short: some programs cut off what is too long. */
  private long readVarint(CodedInputStream input, byte[] array)
      throws IOException, UnreadableMessageException {
    int start = input.getTotalBytesRead();
    long value = input.readRawVarint64();
    int end = input.getTotalBytesRead();
    int last = array[end - 1];
    if ((last == 0 && end - start > 1) || (last > 1 && end - start == LONGEST_VARINT)) {
      throw unreadable("has a number that is longer than it need be");
    }
    return value;
  }

  /** Feeds in all that is left but one field. */
  void addTo(CanonicalDigest digest, int without) {
    for (var field : left) {
      if (field.number != without) {
        digest.add(field.number).add(field.value);
        field.content.ifPresent(digest::add);
      }
    }
  }

  private List<Field> takeFields(int number) {
    var found = new ArrayList<Field>(1);
    for (var each = left.iterator(); each.hasNext(); ) {
      var field = each.next();
      if (field.number == number) {
        found.add(field);
        each.remove();
      }
    }
    return found;
  }

  private Optional<Field> take(int number) throws UnreadableMessageException {
    var found = takeFields(number);
    if (found.size() > 1) {
      throw unreadable("has its field " + number + " twice");
    }
    return found.stream().findFirst();
  }

  /** Takes a number out, of 64 bits; 0 if it is not there, as protobuf has it. */
  long takeNumber(int number) throws UnreadableMessageException {
    var field = take(number);
    if (field.flatMap(Field::content).isPresent()) {
      throw unreadable("has a field " + number + " that is no number");
    }
    return field.map(Field::value).orElse(0L);
  }

  /** From 0 to 2^32 - 1, as {@code uint32}. */
  long takeUnsigned32(int number) throws UnreadableMessageException {
    long value = takeNumber(number);
    if (value < 0 || value > MOST_UINT32) {
      throw unreadable("has a field " + number + " that is above 4294967295");
    }
    return value;
  }

  /** From -2^31 to 2^31 - 1, as {@code int32}. */
  int takeSigned32(int number) throws UnreadableMessageException {
    long value = takeNumber(number);
    if (value != (int) value) {
      throw unreadable("has a field " + number + " that is longer than 32 bits");
    }
    return (int) value;
  }

  /** Zigzag, as {@code sint64} is written. */
  long takeSigned(int number) throws UnreadableMessageException {
    return CodedInputStream.decodeZigZag64(takeNumber(number));
  }

  boolean takeFlag(int number) throws UnreadableMessageException {
    long value = takeNumber(number);
    if (value != 0 && value != 1) {
      throw unreadable("has a field " + number + " that is neither true nor false");
    }
    return value == 1;
  }

  Optional<Bytes> takeBytes(int number) throws UnreadableMessageException {
    var field = take(number);
    return field.isPresent() ? Optional.of(content(field.get())) : Optional.empty();
  }

  private Bytes content(Field field) throws UnreadableMessageException {
    return field.content.orElseThrow(
        () -> unreadable("has a field " + field.number + " that is a number"));
  }

  String takeText(int number) throws UnreadableMessageException {
    var bytes = takeBytes(number).orElse(Bytes.EMPTY).toByteArray();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw unreadable("has a text that is not UTF-8");
    }
  }

  Optional<MessageFields> takeMessage(int number, String name) throws UnreadableMessageException {
    var found = takeBytes(number);
    return found.isPresent() ? Optional.of(of(name, found.get())) : Optional.empty();
  }

  List<Bytes> takeAll(int number) throws UnreadableMessageException {
    var all = new ArrayList<Bytes>();
    for (var field : takeFields(number)) {
      all.add(content(field));
    }
    return all;
  }

  boolean has(int number) {
    for (var field : left) {
      if (field.number == number) {
        return true;
      }
    }
    return false;
  }

  /**
   * Of the members of a oneof only the last counts, for who knows them all.
   *
   * @param of its name
   */
  void requireAtMostOne(String of, int... members) throws UnreadableMessageException {
    if (Arrays.stream(members).filter(this::has).count() > 1) {
      throw unreadable("has more than one " + of + ", and may have one");
    }
  }

  /** Takes numbers that say nothing here, such as what only a node of Hedera has use for. */
  void ignoreNumbers(int... numbers) throws UnreadableMessageException {
    for (int number : numbers) {
      takeNumber(number);
    }
  }

  /** Takes a duration that says nothing here. */
  void ignoreDuration(int number) throws UnreadableMessageException {
    var duration = takeMessage(number, "Duration");
    if (duration.isPresent()) {
      duration.get().takeNumber(1);
      duration.get().requireNothingLeft();
    }
  }

  /**
   * Takes single numbers, of no oneof, that are known and do nothing here: clients may write the
   * zero that they are when they are left out. With anything else they stay, and are refused.
   */
  void takeZeros(int... numbers) {
    for (int number : numbers) {
      takeSingle(number, Field::isZero);
    }
  }

  /** As {@link #takeZeros}, of bytes, a text or a message. */
  void takeEmpty(int number) {
    takeSingle(number, Field::isEmpty);
  }

  private void takeSingle(int number, Predicate<Field> isDefault) {
    var found = left.stream().filter(field -> field.number == number).toList();
    if (found.size() == 1 && isDefault.test(found.get(0))) {
      left.remove(found.get(0));
    }
  }

  /**
   * As {@link #takeZeros}, of a oneof's member that comes before the one that counts: Hedera's
   * JavaScript client writes both.
   */
  void takeZeroBefore(int member, int number) {
    var numbers = left.stream().map(Field::number).toList();
    if (numbers.contains(number) && numbers.indexOf(member) < numbers.indexOf(number)) {
      takeZeros(member);
    }
  }

  /** How many fields nobody asked for. */
  int countLeft() {
    return left.size();
  }

  /** The first field that nobody asked for. */
  Optional<Integer> left() {
    return left.stream().map(Field::number).min(Integer::compare);
  }

  /**
   * Refuses what Hedera has use for and nothing is done with here, as such: what nobody knows is
   * unreadable.
   */
  void requireUnsupportedAbsent(int... numbers) throws UnreadableMessageException {
    for (int number : numbers) {
      if (has(number)) {
        throw new UnreadableMessageException(
            ResponseCode.NOT_SUPPORTED,
            "This %s has a field %d that nothing is done with here: leave it out."
                .formatted(message, number));
      }
    }
  }

  void requireNothingLeft() throws UnreadableMessageException {
    var left = left();
    if (left.isPresent()) {
      throw unreadable("has a field " + left.get() + " that is not known here");
    }
  }

  /** Of a time. */
  UnreadableMessageException tooFarAway() {
    return new UnreadableMessageException(
        "This " + message + " is too far away. " + ConsensusTime.ENDS);
  }

  UnreadableMessageException unreadable(String how) {
    return new UnreadableMessageException("This " + message + " " + how + ".");
  }
}

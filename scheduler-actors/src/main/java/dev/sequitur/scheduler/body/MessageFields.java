package dev.sequitur.scheduler.body;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.schedule.ConsensusTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The fields of one protobuf message by their numbers. Stricter than protobuf itself: what a reader
 * does not ask for, and a single field that comes twice, is refused, since nobody is to sign what
 * others read differently.
 */
final class MessageFields {
  private final String message;
  private final Map<Integer, List<Long>> numbers = new TreeMap<>();
  private final Map<Integer, List<Bytes>> contents = new TreeMap<>();

  private MessageFields(String message) {
    this.message = message;
  }

  /**
   * @param message its name, for what is said of unreadable ones
   */
  static MessageFields of(String message, Bytes bytes) throws UnreadableMessageException {
    var fields = new MessageFields(message);
    var input = CodedInputStream.newInstance(bytes.toByteArray());
    try {
      for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
        fields.read(input, tag);
      }
    } catch (IOException e) {
      throw new UnreadableMessageException("These bytes are no " + message + ".");
    }
    return fields;
  }

  private void read(CodedInputStream input, int tag)
      throws IOException, UnreadableMessageException {
    int number = WireFormat.getTagFieldNumber(tag);
    switch (WireFormat.getTagWireType(tag)) {
      case WireFormat.WIRETYPE_VARINT ->
          numbers.computeIfAbsent(number, any -> new ArrayList<>()).add(input.readRawVarint64());
      case WireFormat.WIRETYPE_LENGTH_DELIMITED ->
          contents
              .computeIfAbsent(number, any -> new ArrayList<>())
              .add(Bytes.of(input.readByteArray()));
      default -> throw unreadable("has a field " + number + " of a kind that is not used here");
    }
  }

  /** Takes a number out; 0 if it is not there, as protobuf has it. */
  long takeNumber(int field) throws UnreadableMessageException {
    var found = numbers.remove(field);
    if (found == null) {
      return 0;
    } else if (found.size() > 1) {
      throw unreadable("has its field " + field + " twice");
    }
    return found.get(0);
  }

  /** Zigzag, as {@code sint64} is written. */
  long takeSigned(int field) throws UnreadableMessageException {
    return CodedInputStream.decodeZigZag64(takeNumber(field));
  }

  boolean takeFlag(int field) throws UnreadableMessageException {
    return takeNumber(field) != 0;
  }

  Optional<Bytes> takeBytes(int field) throws UnreadableMessageException {
    var found = takeAll(field);
    if (found.size() > 1) {
      throw unreadable("has its field " + field + " twice");
    }
    return found.stream().findFirst();
  }

  String takeText(int field) throws UnreadableMessageException {
    try {
      var bytes = takeBytes(field).orElse(Bytes.EMPTY).toByteArray();
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw unreadable("has a text that is not UTF-8");
    }
  }

  Optional<MessageFields> takeMessage(int field, String name) throws UnreadableMessageException {
    var found = takeBytes(field);
    return found.isPresent() ? Optional.of(of(name, found.get())) : Optional.empty();
  }

  List<Bytes> takeAll(int field) {
    var found = contents.remove(field);
    return found == null ? List.of() : found;
  }

  boolean has(int field) {
    return numbers.containsKey(field) || contents.containsKey(field);
  }

  /** Fields that say nothing here, such as what a node of that network would want to know. */
  void ignore(int... fields) {
    for (int field : fields) {
      numbers.remove(field);
      contents.remove(field);
    }
  }

  /** The first field that nobody asked for. */
  Optional<Integer> left() {
    var left = new TreeMap<Integer, Object>(numbers);
    left.putAll(contents);
    return left.isEmpty() ? Optional.empty() : Optional.of(left.firstKey());
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

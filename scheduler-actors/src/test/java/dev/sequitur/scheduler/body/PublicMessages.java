package dev.sequitur.scheduler.body;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.WireFormat;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.signing.Profile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Hedera's messages as it has published them, so that protobuf's own parser can read what our
 * reader reads. Messages that are put into others as bytes are part of the tree.
 */
final class PublicMessages {
  /** Each field has its number, its type, an asterisk if it is repeated, and its oneof. */
  private static final Map<String, String> BOTH =
      Map.ofEntries(
          Map.entry(
              "Transaction",
              "1 TransactionBody; 2 Other; 3 SignatureMap; 4 bytes; 5 SignedTransaction"),
          Map.entry("SignedTransaction", "1 TransactionBody; 2 SignatureMap; 3 bool"),
          Map.entry("SignatureMap", "1 SignaturePair*"),
          Map.entry(
              "SignaturePair",
              "1 bytes; 2 bytes signature; 3 bytes signature; 4 bytes signature;"
                  + " 5 bytes signature; 6 bytes signature"),
          Map.entry(
              "TransactionBody",
              "1 TransactionID; 2 AccountID; 3 uint64; 4 Duration; 5 bool; 6 string;"
                  + " 7 ContractCall data; 8 Other data; 11 CryptoCreate data;"
                  + " 12 CryptoDelete data; 14 CryptoTransfer data; 15 CryptoUpdate data;"
                  + " 37 Other data;"
                  + " 42 ScheduleCreate data; 43 ScheduleDelete data; 44 ScheduleSign data;"
                  + " 52 Other data; 73 Key; 1001 Other*"),
          Map.entry("TransactionID", "1 Timestamp; 2 AccountID; 3 bool; 4 uint32"),
          Map.entry("Timestamp", "1 int64; 2 int32"),
          Map.entry("Duration", "1 int64"),
          Map.entry("AccountID", "1 int64; 2 int64; 3 int64 account; 4 bytes account"),
          Map.entry("ScheduleID", "1 int64; 2 int64; 3 int64"),
          Map.entry("ContractID", "1 int64; 2 int64; 3 int64 contract; 4 bytes contract"),
          Map.entry(
              "Key",
              "1 ContractID key; 2 bytes key; 3 bytes key; 4 bytes key; 5 ThresholdKey key;"
                  + " 6 KeyList key; 7 bytes key; 8 ContractID key"),
          Map.entry("KeyList", "1 Key*"),
          Map.entry("ThresholdKey", "1 uint32; 2 KeyList"),
          Map.entry("CryptoTransfer", "1 TransferList; 2 Other*"),
          Map.entry("TransferList", "1 AccountAmount*"),
          Map.entry("AccountAmount", "1 AccountID; 2 sint64; 3 bool"),
          Map.entry(
              "CryptoCreate",
              "1 Key; 2 uint64; 3 AccountID; 6 uint64; 7 uint64; 8 bool; 9 Duration; 10 Other;"
                  + " 11 Other; 12 Key; 13 string; 14 int32; 15 AccountID staked;"
                  + " 16 int64 staked; 17 bool; 18 bytes"),
          Map.entry(
              "CryptoUpdate",
              "2 AccountID; 3 Key; 4 AccountID; 5 int32; 6 uint64 send; 7 uint64 receive;"
                  + " 8 Duration; 9 Timestamp; 10 bool required; 11 UInt64Value send;"
                  + " 12 UInt64Value receive;"
                  + " 13 BoolValue required; 14 StringValue; 15 Int32Value; 16 AccountID staked;"
                  + " 17 int64 staked; 18 BoolValue; 19 int64*; 20 Other*; 21 bytes"),
          Map.entry("CryptoDelete", "1 AccountID; 2 AccountID"),
          Map.entry("BoolValue", "1 bool"),
          Map.entry("StringValue", "1 string"),
          Map.entry("Int32Value", "1 int32"),
          Map.entry("UInt64Value", "1 uint64"),
          Map.entry("ContractCall", "1 ContractID; 2 int64; 3 int64; 4 bytes"),
          Map.entry("ScheduleDelete", "1 ScheduleID"),
          Map.entry("Other", ""));

  private static final Map<String, String> MVP =
      Map.of(
          "ScheduleCreate", "1 TransactionBody; 2 Key; 3 AccountID; 4 SignatureMap; 5 string",
          "ScheduleSign", "1 ScheduleID; 2 SignatureMap");

  private static final Map<String, String> CURRENT =
      Map.of(
          "ScheduleCreate",
          "1 Schedulable; 2 string; 3 Key; 4 AccountID; 5 Timestamp; 13 bool",
          "ScheduleSign",
          "1 ScheduleID",
          "Schedulable",
          "1 uint64; 2 string; 3 ContractCall data; 7 CryptoCreate data; 9 CryptoTransfer data; "
              + "10 CryptoUpdate data; "
              + others(4, 6)
              + others(8, 8)
              + others(11, 48)
              + "1001 Other*");

  /** Members of a body's oneof of which nothing is read but that they are there. */
  private static String others(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(number -> number + " Other data; ")
        .collect(Collectors.joining());
  }

  private static final Map<Profile, PublicMessages> OF_PROFILE =
      Arrays.stream(Profile.values()).collect(Collectors.toMap(each -> each, PublicMessages::made));

  private final Descriptor transaction;

  private PublicMessages(Descriptor transaction) {
    this.transaction = transaction;
  }

  /** Made once of each: to make them takes longer than to read a hundred transactions. */
  static PublicMessages of(Profile profile) {
    return OF_PROFILE.get(profile);
  }

  private static PublicMessages made(Profile profile) {
    var definitions = new LinkedHashMap<>(BOTH);
    definitions.putAll(profile == Profile.MVP ? MVP : CURRENT);
    var file = FileDescriptorProto.newBuilder().setName("public").setSyntax("proto3");
    definitions.forEach((name, fields) -> file.addMessageType(message(name, fields)));
    try {
      var built = FileDescriptor.buildFrom(file.build(), new FileDescriptor[0]);
      return new PublicMessages(built.findMessageTypeByName("Transaction"));
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static DescriptorProto message(String name, String fields) {
    var message = DescriptorProto.newBuilder().setName(name);
    var oneofs = new ArrayList<String>();
    for (var definition : fields.isEmpty() ? new String[0] : fields.split(";")) {
      var parts = definition.trim().split(" ");
      var type = parts[1].replace("*", "");
      var field =
          FieldDescriptorProto.newBuilder()
              .setName("field" + parts[0])
              .setNumber(Integer.parseInt(parts[0]))
              .setLabel(
                  parts[1].endsWith("*")
                      ? FieldDescriptorProto.Label.LABEL_REPEATED
                      : FieldDescriptorProto.Label.LABEL_OPTIONAL);
      if (Character.isUpperCase(type.charAt(0))) {
        field.setType(FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(type);
      } else {
        field.setType(FieldDescriptorProto.Type.valueOf("TYPE_" + type.toUpperCase(Locale.ROOT)));
      }
      if (parts.length > 2) {
        if (!oneofs.contains(parts[2])) {
          oneofs.add(parts[2]);
          message.addOneofDecl(OneofDescriptorProto.newBuilder().setName(parts[2]));
        }
        field.setOneofIndex(oneofs.indexOf(parts[2]));
      }
      message.addField(field);
    }
    return message.build();
  }

  /**
   * The same as protobuf's parser reads it, written anew: of each oneof the last member, of what
   * came twice what that was merged to.
   *
   * @return empty if it has a field that is not published
   */
  Optional<Bytes> asOthersReadIt(Bytes bytes) throws IOException {
    var message = DynamicMessage.parseFrom(transaction, bytes.toByteArray());
    return hasUnknownFields(message)
        ? Optional.empty()
        : Optional.of(Bytes.of(message.toByteArray()));
  }

  private static boolean hasUnknownFields(Message message) {
    if (!message.getUnknownFields().asMap().isEmpty()) {
      return true;
    }
    return message.getAllFields().entrySet().stream()
        .filter(entry -> entry.getKey().getJavaType() == JavaType.MESSAGE)
        .flatMap(
            entry ->
                entry.getKey().isRepeated()
                    ? ((List<?>) entry.getValue()).stream()
                    : List.of(entry.getValue()).stream())
        .anyMatch(nested -> hasUnknownFields((Message) nested));
  }

  /** The fields of a message, by its name. */
  List<FieldDescriptor> fields(String message) {
    return transaction.getFile().findMessageTypeByName(message).getFields();
  }

  /** The messages of a transaction, to be changed in place. */
  Node tree(Bytes bytes) {
    return new Node(transaction, bytes.toByteArray());
  }

  /** One message with its fields in the order in which they came. */
  static final class Node {
    final Descriptor type;
    final List<Part> parts = new ArrayList<>();

    private Node(Descriptor type, byte[] bytes) {
      this.type = type;
      var input = CodedInputStream.newInstance(bytes);
      try {
        while (!input.isAtEnd()) {
          int start = input.getTotalBytesRead();
          int tag = input.readTag();
          var field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
          if (field != null && field.getJavaType() == JavaType.MESSAGE) {
            parts.add(new Part(field, new Node(field.getMessageType(), input.readByteArray())));
          } else {
            input.skipField(tag);
            parts.add(new Part(field, Arrays.copyOfRange(bytes, start, input.getTotalBytesRead())));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** This message and all within it. */
    List<Node> all() {
      var all = new ArrayList<Node>();
      all.add(this);
      parts.stream()
          .filter(part -> part.child != null)
          .forEach(part -> all.addAll(part.child.all()));
      return all;
    }

    boolean has(FieldDescriptor field) {
      return parts.stream().anyMatch(part -> field.equals(part.field));
    }

    Bytes bytes() {
      var bytes = new ByteArrayOutputStream();
      parts.forEach(part -> bytes.writeBytes(part.bytes()));
      return Bytes.of(bytes.toByteArray());
    }
  }

  /** A field of a message: its bytes with its tag, or the message that it holds. */
  record Part(FieldDescriptor field, Node child, byte[] raw) {
    Part(FieldDescriptor field, Node child) {
      this(field, child, null);
    }

    Part(FieldDescriptor field, byte[] raw) {
      this(field, null, raw);
    }

    static Part number(int field, long value) {
      return written(output -> output.writeUInt64(field, value));
    }

    static Part content(int field, byte[] value) {
      return written(output -> output.writeByteArray(field, value));
    }

    /** As its type would be written. */
    static Part of(FieldDescriptor field, long value, byte[] content) {
      return switch (field.getJavaType()) {
        case INT, LONG, BOOLEAN -> number(field.getNumber(), value);
        default -> content(field.getNumber(), content);
      };
    }

    private static Part written(Written written) {
      var bytes = ByteString.newOutput();
      var output = CodedOutputStream.newInstance(bytes);
      try {
        written.to(output);
        output.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new Part(null, bytes.toByteString().toByteArray());
    }

    private interface Written {
      void to(CodedOutputStream output) throws IOException;
    }

    byte[] bytes() {
      return child == null ? raw : content(field.getNumber(), child.bytes().toByteArray()).raw;
    }
  }
}

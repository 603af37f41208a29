import com.google.protobuf.BoolValue;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.WireFormat;
import com.hedera.hashgraph.sdk.proto.AccountID;
import com.hedera.hashgraph.sdk.proto.CryptoCreateTransactionBody;
import com.hedera.hashgraph.sdk.proto.CryptoTransferTransactionBody;
import com.hedera.hashgraph.sdk.proto.CryptoUpdateTransactionBody;
import com.hedera.hashgraph.sdk.proto.SchedulableTransactionBody;
import com.hedera.hashgraph.sdk.proto.SignatureMap;
import com.hedera.hashgraph.sdk.proto.SignaturePair;
import com.hedera.hashgraph.sdk.proto.SignedTransaction;
import com.hedera.hashgraph.sdk.proto.Transaction;
import com.hedera.hashgraph.sdk.proto.TransactionBody;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountChange;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.scheduler.body.RefusedTransactionException;
import dev.sequitur.scheduler.body.SubmittedTransaction;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import dev.sequitur.scheduler.body.TransactionReader;
import dev.sequitur.scheduler.body.TransactionWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Mutates the fields of transactions, and compares what Sequitur reads with what the network's own
 * protobuf reads of the same bytes: what Sequitur takes must mean the same to both. Sequitur may
 * refuse more.
 */
public final class Fuzz {
  private static final NodeAccount NODE = new NodeAccount(0, 3);
  private static final TransactionWriter WRITER = new TransactionWriter(Profile.CURRENT, NODE);
  private static final TransactionReader READER = TransactionReader.of(Profile.CURRENT, NODE);
  private static final int DEEPEST = 8;
  private static final long[] NUMBERS = {
    0, 1, 2, 3, 7, 127, 128, 1L << 31, (1L << 32) - 1, 1L << 32, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE, -1, -2
  };

  private final Random random;

  private Fuzz(long seed) {
    random = new Random(seed);
  }

  private static final long USUAL_SECOND = 1_800_001_000L;

  /** A field as it is on the wire; of a message also its fields. */
  private static final class Field {
    private int number;
    private int type;
    private long value;
    private byte[] content = new byte[0];
    private List<Field> fields;

    private Field copy() {
      var copy = new Field();
      copy.number = number;
      copy.type = type;
      copy.value = value;
      copy.content = content;
      copy.fields = fields == null ? null : Fuzz.copy(fields);
      return copy;
    }
  }

  private static List<Field> copy(List<Field> fields) {
    var copies = new ArrayList<Field>();
    fields.forEach(field -> copies.add(field.copy()));
    return copies;
  }

  /** Null if the bytes are no message. */
  private static List<Field> parse(byte[] bytes, int depth) {
    var fields = new ArrayList<Field>();
    try {
      var input = CodedInputStream.newInstance(bytes);
      while (!input.isAtEnd()) {
        int tag = input.readTag();
        var field = new Field();
        field.number = WireFormat.getTagFieldNumber(tag);
        field.type = WireFormat.getTagWireType(tag);
        switch (field.type) {
          case WireFormat.WIRETYPE_VARINT -> field.value = input.readRawVarint64();
          case WireFormat.WIRETYPE_FIXED64 -> field.value = input.readRawLittleEndian64();
          case WireFormat.WIRETYPE_FIXED32 -> field.value = input.readRawLittleEndian32();
          case WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
            field.content = input.readByteArray();
            field.fields =
                field.content.length == 0 || depth == DEEPEST ? null : parse(field.content, depth + 1);
          }
          default -> {
            return null;
          }
        }
        fields.add(field);
      }
    } catch (IOException e) {
      return null;
    }
    return fields;
  }

  private static byte[] bytes(List<Field> fields) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var output = CodedOutputStream.newInstance(bytes);
    for (var field : fields) {
      output.writeTag(field.number, field.type);
      switch (field.type) {
        case WireFormat.WIRETYPE_VARINT -> output.writeUInt64NoTag(field.value);
        case WireFormat.WIRETYPE_FIXED64 -> output.writeFixed64NoTag(field.value);
        case WireFormat.WIRETYPE_FIXED32 -> output.writeFixed32NoTag((int) field.value);
        default ->
            output.writeByteArrayNoTag(field.fields == null ? field.content : bytes(field.fields));
      }
    }
    output.flush();
    return bytes.toByteArray();
  }

  /** One of the message's own lists of fields, however deep. */
  private List<Field> somewhere(List<Field> fields) {
    var at = fields;
    while (true) {
      var deeper = at.stream().filter(field -> field.fields != null).toList();
      if (deeper.isEmpty() || random.nextInt(5) == 0) {
        return at;
      }
      at = deeper.get(random.nextInt(deeper.size())).fields;
    }
  }

  private void mutate(List<Field> message) {
    var at = somewhere(message);
    if (at.isEmpty()) {
      at.add(fresh());
      return;
    }
    int place = random.nextInt(at.size());
    var field = at.get(place);
    switch (random.nextInt(12)) {
      case 0 -> at.remove(place);
      case 1 -> at.add(random.nextInt(at.size() + 1), field.copy());
      case 2 -> at.set(place, at.set(random.nextInt(at.size()), field));
      case 3, 4 -> {
        field.value = NUMBERS[random.nextInt(NUMBERS.length)];
        if (field.type == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
          field.fields = null;
          field.content = new byte[random.nextInt(3) == 0 ? 0 : field.content.length];
          random.nextBytes(field.content);
        }
      }
      case 5 -> field.number = Math.max(1, field.number + random.nextInt(5) - 2);
      case 6 -> field.number = 1 + random.nextInt(60);
      case 7 -> field.type = random.nextInt(3) == 0 ? 5 : random.nextInt(3);
      case 8 -> at.add(random.nextInt(at.size() + 1), fresh());
      case 9 -> {
        var other = somewhere(message);
        if (!other.isEmpty()) {
          at.add(other.get(random.nextInt(other.size())).copy());
        }
      }
      case 10 -> field.value += random.nextInt(5) - 2;
      default -> {
        if (field.content.length > 0) {
          field.content = field.content.clone();
          field.content[random.nextInt(field.content.length)] ^= (byte) (1 << random.nextInt(8));
          field.fields = field.fields == null ? null : parse(field.content, 0);
        }
      }
    }
  }

  private Field fresh() {
    var field = new Field();
    field.number = 1 + random.nextInt(20);
    field.type = random.nextInt(3);
    field.value = NUMBERS[random.nextInt(NUMBERS.length)];
    return field;
  }

  private static AccountTransactionId id() {
    return AccountTransactionId.submitted(new ConsensusTime(1_800_000_000_000_000_123L), new EntityId(2));
  }

  private static Bytes transaction(Operation operation) {
    var pair =
        new dev.sequitur.scheduler.body.SignaturePair(
            Bytes.hex("01".repeat(32)), PublicKey.Algorithm.ED25519, Bytes.hex("02".repeat(64)));
    var other =
        new dev.sequitur.scheduler.body.SignaturePair(
            Bytes.hex("03".repeat(3)), PublicKey.Algorithm.ECDSA_SECP256K1, Bytes.hex("04".repeat(64)));
    var body = WRITER.body(new Header(id(), 120, 1_000, "memo"), operation);
    return TransactionWriter.signed(body, List.of(pair, other));
  }

  /** Of every body that is taken. */
  private static List<Bytes> seeds() {
    // Points of their curves, as the published test vectors have them.
    var ed25519 =
        new PublicKey(
            PublicKey.Algorithm.ED25519,
            Bytes.hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"));
    var secp256k1 =
        new PublicKey(
            PublicKey.Algorithm.ECDSA_SECP256K1,
            Bytes.hex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"));
    AccountKey nested =
        new AccountKey.KeyList(
            List.of(ed25519, new AccountKey.ThresholdKey(1, List.of(secp256k1, ed25519))));
    var transfer =
        new Action.CryptoTransfer(
            List.of(new AccountAmount(new EntityId(1001), -5), new AccountAmount(new EntityId(2), 5)));
    var account = new Action.CryptoCreate(nested, new Amount(7), true, "account");
    var seeds = new ArrayList<Bytes>();
    var call =
        Action.PrivateTransaction.once(
            new Target.PrivateCall(
                new ContractAddress("0x" + "0a".repeat(20)), "token", "transfer",
                new Identity("alice", new NodeName("node1")), Bytes.utf8("{\"to\":\"bob@node2\",\"amount\":5}")));
    var update =
        new Action.CryptoUpdate(
            new EntityId(1001), AccountChange.ofKey(nested).withMemo(Optional.of("update")));
    for (Action action : List.of(transfer, account, update, call)) {
      var body = WRITER.scheduled(0, 1_000, "body", action);
      seeds.add(
          transaction(
              new Operation.ScheduleCreate(
                  new Creation(
                      body, Optional.of(nested), Optional.of(new EntityId(1002)), "memo",
                      Optional.of(1_800_001_000L), true),
                  List.of())));
    }
    seeds.add(transaction(new Operation.ScheduleSign(new EntityId(1003), List.of())));
    seeds.add(transaction(new Operation.ScheduleDelete(new EntityId(1003))));
    seeds.add(transaction(new Operation.CryptoCreate(account)));
    seeds.add(transaction(new Operation.CryptoUpdate(new EntityId(1001), nested)));
    seeds.add(
        transaction(
            new Operation.CryptoUpdate(
                new EntityId(1001),
                new AccountChange(
                    Optional.empty(), Optional.of(true), Optional.of("memo"), Optional.of(3_000_000L),
                    Optional.of(true), Optional.of(1_800_001_000L), Optional.of(5),
                    Optional.of(new AccountChange.Stake(true, 3))))));
    seeds.add(transaction(new Operation.CryptoDelete(new EntityId(1001), new EntityId(2))));
    seeds.add(transaction(new Operation.CryptoTransfer(transfer)));
    return seeds;
  }

  /** What has no effect here is left out of theirs, and what is nothing is there or not. */
  private static TransactionBody.Builder plain(TransactionBody theirs) {
    var builder = theirs.toBuilder().clearGenerateRecord();
    if (builder.hasCryptoCreateAccount()) {
      builder.setCryptoCreateAccount(plain(builder.getCryptoCreateAccount()));
    } else if (builder.hasCryptoTransfer()) {
      builder.setCryptoTransfer(plain(builder.getCryptoTransfer()));
    } else if (builder.hasCryptoUpdateAccount()) {
      builder.setCryptoUpdateAccount(plain(builder.getCryptoUpdateAccount()));
    } else if (builder.hasScheduleCreate()) {
      // Compared by itself.
      builder.setScheduleCreate(builder.getScheduleCreate().toBuilder().clearScheduledTransactionBody());
      if (builder.getScheduleCreate().hasExpirationTime()) {
        // A schedule expires with a second.
        var seconds = builder.getScheduleCreate().getExpirationTime().toBuilder().clearNanos();
        builder.setScheduleCreate(builder.getScheduleCreate().toBuilder().setExpirationTime(seconds));
      }
    }
    return builder;
  }

  private static CryptoCreateTransactionBody plain(CryptoCreateTransactionBody theirs) {
    return theirs.toBuilder()
        .clearAutoRenewPeriod()
        .clearSendRecordThreshold()
        .clearReceiveRecordThreshold()
        .clearStakedAccountId()
        .clearStakedNodeId()
        .build();
  }

  /** What nobody looks at any more is left out, and the older of two ways to say one thing is the newer. */
  private static CryptoUpdateTransactionBody plain(CryptoUpdateTransactionBody theirs) {
    var builder =
        theirs.toBuilder()
            .clearProxyAccountID()
            .clearProxyFraction()
            .clearSendRecordThresholdField()
            .clearReceiveRecordThresholdField();
    if (theirs.hasReceiverSigRequired()) {
      builder.setReceiverSigRequiredWrapper(BoolValue.of(theirs.getReceiverSigRequired()));
    }
    if (theirs.hasExpirationTime()) {
      builder.setExpirationTime(theirs.getExpirationTime().toBuilder().clearNanos());
    }
    if (theirs.hasStakedAccountId() && theirs.getStakedAccountId().getAccountNum() == 0) {
      builder.setStakedAccountId(AccountID.getDefaultInstance());
    }
    return builder.build();
  }

  private static CryptoTransferTransactionBody plain(CryptoTransferTransactionBody theirs) {
    return theirs.toBuilder().setTransfers(theirs.getTransfers()).build();
  }

  private static SchedulableTransactionBody plain(SchedulableTransactionBody theirs) {
    var builder = theirs.toBuilder();
    if (builder.hasCryptoCreateAccount()) {
      builder.setCryptoCreateAccount(plain(builder.getCryptoCreateAccount()));
    } else if (builder.hasCryptoTransfer()) {
      builder.setCryptoTransfer(plain(builder.getCryptoTransfer()));
    } else if (builder.hasCryptoUpdateAccount()) {
      builder.setCryptoUpdateAccount(plain(builder.getCryptoUpdateAccount()));
    }
    return builder.build();
  }

  /** Read as it stands, for the rules to refuse; not written. */
  private static boolean isBeyondTheClock(Operation operation) {
    return operation instanceof Operation.ScheduleCreate create
        && create
            .creation()
            .expirationSecond()
            .filter(second -> second < 0 || second >= ConsensusTime.END.getEpochSecond())
            .isPresent();
  }

  private static Operation usual(Operation operation) {
    if (!isBeyondTheClock(operation)) {
      return operation;
    }
    var creation = ((Operation.ScheduleCreate) operation).creation();
    return new Operation.ScheduleCreate(
        new Creation(
            creation.transaction(), creation.adminKey(), creation.payer(), creation.memo(),
            Optional.of(USUAL_SECOND), creation.waitForExpiry()),
        List.of());
  }

  /**
   * By their bytes: equals of these messages compares what is in a oneof once for each of its
   * members, and so a key within keys hundreds of times.
   */
  private static boolean areSame(MessageLite one, MessageLite other) {
    return one.toByteString().equals(other.toByteString());
  }

  /** Whether both mean the same by these bytes. */
  private static boolean isSame(Bytes bytes, SubmittedTransaction ours) throws IOException {
    var outer = Transaction.parseFrom(bytes.toByteArray());
    boolean signed = !outer.getSignedTransactionBytes().isEmpty();
    var parts = signed ? SignedTransaction.parseFrom(outer.getSignedTransactionBytes()) : null;
    var bodyBytes = signed ? parts.getBodyBytes() : outer.getBodyBytes();
    var map = signed ? parts.getSigMap() : outer.getSigMap();
    var theirs = TransactionBody.parseFrom(bodyBytes);
    if (isBeyondTheClock(ours.operation())) {
      var create = theirs.getScheduleCreate();
      long second = ((Operation.ScheduleCreate) ours.operation()).creation().expirationSecond().get();
      if (create.getExpirationTime().getSeconds() != second) {
        return false;
      }
      var usual = create.toBuilder().setExpirationTime(create.getExpirationTime().toBuilder().setSeconds(USUAL_SECOND));
      theirs = theirs.toBuilder().setScheduleCreate(usual).build();
    }
    var written =
        TransactionBody.parseFrom(WRITER.body(ours.header(), usual(ours.operation())).toByteArray());
    boolean same =
        areSame(plain(theirs).build(), plain(written).build()) && areSame(map, signatures(ours));
    if (!same || !(ours.operation() instanceof Operation.ScheduleCreate create)) {
      return same;
    }
    return isSame(theirs.getScheduleCreate().getScheduledTransactionBody(), create.creation().transaction());
  }

  private static SignatureMap signatures(SubmittedTransaction ours) {
    var map = SignatureMap.newBuilder();
    for (var pair : ours.signatures()) {
      var one = SignaturePair.newBuilder().setPubKeyPrefix(of(pair.prefix()));
      map.addSigPair(
          pair.algorithm() == PublicKey.Algorithm.ED25519
              ? one.setEd25519(of(pair.signature()))
              : one.setECDSASecp256K1(of(pair.signature())));
    }
    return map.build();
  }

  private static boolean isSame(SchedulableTransactionBody theirs, ScheduledTransaction ours)
      throws IOException {
    return switch (ours.action()) {
      case Action.Unschedulable ignored ->
          !theirs.hasCryptoTransfer()
              && !theirs.hasCryptoCreateAccount()
              && !theirs.hasCryptoUpdateAccount()
              && !theirs.hasContractCall();
      case Action.PrivateTransaction sent ->
          new ContractAddress(
                  Bytes.of(theirs.getContractCall().getContractID().getEvmAddress().toByteArray()).toHex())
              .equals(sent.call().contract());
      case Action action -> {
        var written = WRITER.scheduled(ours.nonce(), ours.maxFee(), ours.memo(), action);
        yield areSame(
            plain(theirs),
            plain(SchedulableTransactionBody.parseFrom(written.bytes().toByteArray())));
      }
    };
  }

  private static boolean isUnschedulable(SubmittedTransaction ours) {
    return ours.operation() instanceof Operation.ScheduleCreate create
        && create.creation().transaction().action() instanceof Action.Unschedulable;
  }

  private static ByteString of(Bytes bytes) {
    return ByteString.copyFrom(bytes.toByteArray());
  }

  public static void main(String[] args) throws IOException {
    int mutations = Integer.parseInt(args[0]);
    long seed = Long.parseLong(args[1]);
    var fuzz = new Fuzz(seed);
    var seeds = new ArrayList<List<Field>>();
    for (var bytes : seeds()) {
      seeds.add(parse(bytes.toByteArray(), 0));
    }
    int taken = 0;
    int otherwise = 0;
    for (int i = 0; i < mutations; i++) {
      var message = copy(seeds.get(i % seeds.size()));
      for (int times = 1 + fuzz.random.nextInt(3); times > 0; times--) {
        fuzz.mutate(message);
      }
      var bytes = Bytes.of(bytes(message));
      SubmittedTransaction ours;
      try {
        ours = READER.read(bytes);
      } catch (RefusedTransactionException e) {
        continue;
      }
      taken++;
      boolean same;
      try {
        same = isSame(bytes, ours);
      } catch (IOException e) {
        // What can not be scheduled is refused here unread, and there as what can not be read.
        same = isUnschedulable(ours);
      }
      if (!same && ++otherwise <= 5) {
        System.err.println("read otherwise, seed " + seed + ": " + bytes.toHex() + " as " + ours);
      }
    }
    System.out.println("mutations: " + mutations);
    System.out.println("taken: " + taken);
    System.out.println("read otherwise: " + otherwise);
  }
}

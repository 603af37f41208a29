package dev.sequitur.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
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
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.ScheduledTransaction;
import dev.sequitur.scheduler.body.PublicMessages.Node;
import dev.sequitur.scheduler.body.PublicMessages.Part;
import dev.sequitur.scheduler.body.SubmittedTransaction.Header;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is signed means here what it means to everybody else (MSIG-10): what two programs could read
 * differently is refused, and what all read alike is taken.
 */
class OtherReadersTest {
  private static final long[] NUMBERS = {
    0, 1, 2, 5, 1_001, 1L << 31, 1L << 32, (1L << 32) + 1, 1L << 62, Long.MIN_VALUE, -1
  };
  private static final NodeAccount QUEUE = new NodeAccount(5, 3);
  private static final PublicKey ED25519 =
      new PublicKey(PublicKey.Algorithm.ED25519, Bytes.hex("58" + "66".repeat(31)));
  private static final PublicKey SECP256K1 = Signers.secp256k1(7).key();

  /** A field that nobody has published, one that stands there twice, one of another wire type. */
  @Property(tries = 2_000)
  void aTransactionWithAnyFieldTooManyIsRefused(@ForAll boolean mvp, @ForAll long seed) {
    var random = new Random(seed);
    var profile = mvp ? Profile.MVP : Profile.CURRENT;
    var tree = PublicMessages.of(profile).tree(transaction(profile, random));
    var nodes = tree.all();
    var node = nodes.get(random.nextInt(nodes.size()));
    var single = node.parts.stream().filter(part -> !part.field().isRepeated()).toList();
    var existing = single.isEmpty() ? null : single.get(random.nextInt(single.size()));
    int kind = existing == null ? 0 : random.nextInt(4);
    if (kind == 0) {
      int unknown = List.of(19, 99, 2_000, 536_870_911).get(random.nextInt(4));
      insert(
          node,
          random,
          random.nextBoolean()
              ? Part.number(unknown, number(random))
              : Part.content(unknown, content(random)));
    } else if (kind == 1) {
      insert(node, random, existing);
    } else if (kind == 2) {
      var field = existing.field();
      insert(node, random, Part.of(field, number(random), content(random)));
    } else {
      var field = existing.field();
      boolean isNumber = isNumber(field);
      node.parts.set(
          node.parts.indexOf(existing),
          isNumber
              ? Part.content(field.getNumber(), content(random))
              : Part.number(field.getNumber(), number(random)));
    }
    assertRefused(profile, tree.bytes());
  }

  /** Of a oneof others read the last member, and what they know they do not overlook. */
  @Property(tries = 4_000)
  void whatIsReadMeansWhatOthersRead(@ForAll boolean mvp, @ForAll long seed) throws Exception {
    var random = new Random(seed);
    var profile = mvp ? Profile.MVP : Profile.CURRENT;
    var messages = PublicMessages.of(profile);
    var tree = messages.tree(transaction(profile, random));
    var nodes = tree.all();
    for (int i = random.nextInt(3); i >= 0; i--) {
      var node = nodes.get(random.nextInt(nodes.size()));
      var fields = node.type.getFields();
      if (!fields.isEmpty()) {
        var field = fields.get(random.nextInt(fields.size()));
        insert(node, random, Part.of(field, number(random), content(random)));
      }
    }
    assertReadAlike(profile, messages, tree.bytes());
  }

  @Property(tries = 2_000)
  void damagedBytesAreRefusedOrMeanWhatOthersRead(@ForAll boolean mvp, @ForAll long seed)
      throws Exception {
    assertDamagedReadAlike(mvp, seed);
  }

  /** A damaged number of an operation, which nobody runs whatever it means to others. */
  @Test
  void anOperationOfAnyOtherNumberCannotBeScheduled() throws Exception {
    assertDamagedReadAlike(false, 66_131);
  }

  /** Of another kind than it has: others do not know it, and neither does this reader. */
  @Test
  void aFlagThatIsWrittenAsEmptyBytesIsNotKnown() throws Exception {
    assertDamagedReadAlike(true, -1_328_939_134L);
  }

  @Property(tries = 200)
  void noFieldIsKnownInTheOtherKind(@ForAll boolean mvp, @ForAll long seed) throws Exception {
    var random = new Random(seed);
    var profile = mvp ? Profile.MVP : Profile.CURRENT;
    var bytes = transaction(profile, random);
    var tree = PublicMessages.of(profile).tree(bytes);
    for (var node : tree.all()) {
      for (var field : node.type.getFields()) {
        if (!field.isRepeated()) {
          int number = field.getNumber();
          var part = isNumber(field) ? Part.content(number, new byte[0]) : Part.number(number, 0);
          insert(node, random, part);
          assertRefused(profile, tree.bytes());
          node.parts.remove(part);
        }
      }
    }
    assertThat(tree.bytes()).as("each field was tried alone").isEqualTo(bytes);
  }

  private static void assertDamagedReadAlike(boolean mvp, long seed) throws Exception {
    var random = new Random(seed);
    var profile = mvp ? Profile.MVP : Profile.CURRENT;
    var bytes = transaction(profile, random).toByteArray();
    for (int i = random.nextInt(3); i >= 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    assertReadAlike(profile, PublicMessages.of(profile), Bytes.of(bytes));
  }

  private static void assertReadAlike(Profile profile, PublicMessages messages, Bytes bytes)
      throws IOException {
    Optional<List<Object>> read = meaning(profile, bytes);
    if (read.isEmpty()) {
      return;
    }
    var others = messages.asOthersReadIt(bytes);
    if (others.isPresent() || !isUnschedulable(read.get())) {
      assertThat(others).as(bytes.toHex()).isPresent();
      assertThat(meaning(profile, others.get())).as(bytes.toHex()).isEqualTo(read);
    }
  }

  private static boolean isUnschedulable(List<Object> meaning) {
    return meaning.get(meaning.size() - 1) instanceof Operation.ScheduleCreate create
        && create.creation().transaction().action() instanceof Action.Unschedulable;
  }

  /** As Hedera's JavaScript client writes them. */
  @Property(tries = 1_000)
  void valuesThatAreWrittenAlthoughTheyAreTheDefaultMeanNothing(
      @ForAll boolean mvp, @ForAll long seed) throws Exception {
    var random = new Random(seed);
    var profile = mvp ? Profile.MVP : Profile.CURRENT;
    var messages = PublicMessages.of(profile);
    var bytes = transaction(profile, random);
    var tree = messages.tree(bytes);
    for (var node : tree.all()) {
      for (var field : node.type.getFields()) {
        boolean single = !field.isRepeated() && field.getContainingOneof() == null;
        if (single && field.getJavaType() != JavaType.MESSAGE && !node.has(field)) {
          insert(node, random, Part.of(field, 0, new byte[0]));
        }
      }
    }
    assertThat(meaning(profile, bytes)).isPresent();
    assertThat(meaning(profile, tree.bytes())).isEqualTo(meaning(profile, bytes));
  }

  /** Two operations in one body: everybody else runs the last. */
  @ParameterizedTest
  @EnumSource(Profile.class)
  void twoOperationsInOneBodyAreRefused(Profile profile) {
    var writer = new TransactionWriter(profile, QUEUE);
    var header = header(new Random(1));
    var sign = writer.body(header, new Operation.ScheduleSign(new EntityId(9), List.of()));
    var delete = writer.body(header, new Operation.ScheduleDelete(new EntityId(8)));
    int start = common(sign, delete);
    var both = Bytes.hex(sign.toHex() + delete.toHex().substring(start));

    assertRefused(profile, TransactionWriter.signed(sign, List.of()), false);
    assertRefused(profile, TransactionWriter.signed(both, List.of()));
  }

  /** Where two texts of hexadecimal digits begin to differ, at a whole byte. */
  private static int common(Bytes one, Bytes other) {
    int same = 0;
    while (one.toHex().charAt(same) == other.toHex().charAt(same)) {
      same++;
    }
    return same / 2 * 2;
  }

  @Test
  void aKeyOfTwoKindsIsRefused() {
    var one = new MessageBytes().bytes(2, ED25519.value()).bytes(7, SECP256K1.value());
    var list = CommonMessages.write(new AccountKey.KeyList(List.of(ED25519))).finish();

    assertBadKey(one.finish(), "more than one kind of key");
    assertBadKey(Bytes.hex(CommonMessages.write(ED25519).finish().toHex() + hex(list)), "kind");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 3, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFFL, 0x1_0000_0001L, -1})
  void aThresholdThatNobodyCanReachIsABadKey(long threshold) {
    var keys = new MessageBytes().message(1, CommonMessages.write(ED25519));
    var some = new MessageBytes().number(1, threshold).message(2, keys);

    var key = new MessageBytes().message(5, some).finish();
    assertBadKey(key, "Key");
    assertThatThrownBy(() -> CommonMessages.readKey(key))
        .as("a number that nobody sent is not named")
        .hasMessageNotContaining("2147483647");
  }

  @Test
  void aKeyThatAnybodyCouldSignWithIsABadKeyAlsoAmongOthers() {
    var neutral = new PublicKey(PublicKey.Algorithm.ED25519, Bytes.hex("01" + "00".repeat(31)));
    var list = new AccountKey.KeyList(List.of(ED25519, neutral));

    assertBadKey(
        CommonMessages.write(list).finish(),
        "This Key cannot be used: These bytes are no key, as their point has a small order: anybody"
            + " could sign with it.");
    assertThatThrownBy(() -> CommonMessages.readKey(CommonMessages.write(neutral).finish()))
        .hasMessageNotContaining("..");
  }

  private static void assertBadKey(Bytes key, String why) {
    assertThatThrownBy(() -> CommonMessages.readKey(key))
        .isInstanceOf(UnreadableMessageException.class)
        .hasMessageContaining(why)
        .extracting(e -> ((UnreadableMessageException) e).code())
        .isEqualTo(ResponseCode.BAD_ENCODING);
  }

  /** contractNum: 0 before the address; after it, others would read the number. */
  @Test
  void aContractsNumberOfZeroCountsOnlyWhenItComesLast() throws Exception {
    var parameters =
        Bytes.utf8("{\"domain\":\"d\",\"function\":\"f\",\"from\":\"a@node1\",\"inputs\":{}}");
    var address = new MessageBytes().bytes(4, Bytes.hex("0a".repeat(20))).finish();
    var zero = Bytes.hex("1800");
    var current = TransactionReader.of(Profile.CURRENT, QUEUE);

    assertThat(current.readScheduled(call(hex(zero) + hex(address), parameters)).action())
        .isInstanceOf(Action.PrivateTransaction.class);
    assertThatThrownBy(() -> current.readScheduled(call(hex(address) + hex(zero), parameters)))
        .hasMessageContaining("field 3");
    assertThatThrownBy(() -> current.readScheduled(call("1801" + hex(address), parameters)))
        .hasMessageContaining("field 3");
  }

  /** UTF-16 is JSON too for who guesses the encoding, and half a character for nobody. */
  @Test
  void parametersAreTextThatCanBeStored() {
    var current = TransactionReader.of(Profile.CURRENT, QUEUE);
    var address = "22" + "14" + "0a".repeat(20);
    var wide =
        "{\"domain\":\"d\",\"function\":\"f\",\"from\":\"a@node1\",\"inputs\":{}}"
            .getBytes(java.nio.charset.StandardCharsets.UTF_16BE);
    var half =
        Bytes.utf8(
            "{\"domain\":\"\\ud800\",\"function\":\"f\",\"from\":\"a@node1\",\"inputs\":{}}");

    for (var parameters : List.of(Bytes.of(wide), Bytes.hex("7b7dc080"), half)) {
      assertThatThrownBy(() -> current.readScheduled(call(address, parameters)))
          .isInstanceOf(RefusedTransactionException.class);
    }
  }

  private static Bytes call(String contract, Bytes parameters) {
    var call = new MessageBytes().message(1, Bytes.hex(contract)).bytes(4, parameters);
    return new MessageBytes().message(3, call).finish();
  }

  /** Programs that read only as many bits as they keep would read another number. */
  @ParameterizedTest
  @ValueSource(strings = {"188100", "18ffffffffffffffffff7f", "9880808080808080808000", "988000"})
  void numbersThatAreLongerThanTheyNeedBeAreRefused(String hex) {
    assertThatThrownBy(() -> MessageFields.of("Message", Bytes.hex(hex + "01")))
        .isInstanceOf(UnreadableMessageException.class);
  }

  private static String hex(Bytes bytes) {
    return bytes.toHex().replaceFirst("^0x", "");
  }

  private static void assertRefused(Profile profile, Bytes bytes) {
    assertRefused(profile, bytes, true);
  }

  private static void assertRefused(Profile profile, Bytes bytes, boolean refused) {
    assertThat(meaning(profile, bytes).isEmpty()).as(bytes.toHex()).isEqualTo(refused);
  }

  /** All that a transaction says; empty if it is refused. */
  private static Optional<List<Object>> meaning(Profile profile, Bytes bytes) {
    try {
      var read = TransactionReader.of(profile, QUEUE).read(bytes);
      return Optional.of(
          List.of(read.node(), read.signatures(), read.header(), withoutBytes(read.operation())));
    } catch (RefusedTransactionException e) {
      assertThat(e.getMessage()).endsWith(".");
      return Optional.empty();
    }
  }

  private static Operation withoutBytes(Operation operation) {
    if (!(operation instanceof Operation.ScheduleCreate create)) {
      return operation;
    }
    var creation = create.creation();
    var body = creation.transaction();
    var nothing = new byte[0];
    var stripped =
        new ScheduledTransaction(
            Bytes.of(nothing),
            Hash.sha256(nothing),
            body.nonce(),
            body.maxFee(),
            body.memo(),
            body.action());
    return new Operation.ScheduleCreate(
        new Creation(
            stripped,
            creation.adminKey(),
            creation.payer(),
            creation.memo(),
            creation.expirationSecond(),
            creation.waitForExpiry()),
        create.sigMap());
  }

  private static void insert(Node node, Random random, Part part) {
    node.parts.add(random.nextInt(node.parts.size() + 1), part);
  }

  private static boolean isNumber(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT, LONG, BOOLEAN -> true;
      default -> false;
    };
  }

  private static long number(Random random) {
    return NUMBERS[random.nextInt(NUMBERS.length)];
  }

  private static byte[] content(Random random) {
    var bytes = new byte[random.nextInt(4)];
    random.nextBytes(bytes);
    return random.nextInt(4) == 0 ? Arrays.copyOf(SECP256K1.value().toByteArray(), 33) : bytes;
  }

  private static Bytes transaction(Profile profile, Random random) {
    var writer = new TransactionWriter(profile, QUEUE);
    return TransactionWriter.signed(
        writer.body(header(random), operation(profile, writer, random)), pairs(random));
  }

  private static Header header(Random random) {
    var start = new ConsensusTime(1_600_000_000_000_000_000L + random.nextInt(1_000_000_000));
    return new Header(
        AccountTransactionId.submitted(start, account(random)),
        random.nextInt(200),
        random.nextInt(200),
        memo(random));
  }

  private static Operation operation(Profile profile, TransactionWriter writer, Random random) {
    return switch (random.nextInt(profile == Profile.MVP ? 7 : 8)) {
      case 7 -> new Operation.CryptoDelete(new EntityId(5), new EntityId(6));
      case 0 ->
          new Operation.ScheduleSign(
              account(random), profile == Profile.MVP ? pairs(random) : List.of());
      case 1 -> new Operation.ScheduleDelete(account(random));
      case 2 -> new Operation.CryptoCreate(newAccount(random));
      case 3 ->
          new Operation.CryptoUpdate(
              account(random),
              profile == Profile.MVP ? AccountChange.ofKey(key(random, 3)) : change(random));
      default -> create(profile, writer, random);
    };
  }

  private static Operation create(Profile profile, TransactionWriter writer, Random random) {
    boolean mvp = profile == Profile.MVP;
    int nonce = mvp && random.nextBoolean() ? random.nextInt() : 0;
    var action =
        switch (random.nextInt(mvp ? 3 : 4)) {
          case 3 -> new Action.CryptoUpdate(account(random), change(random));
          case 0 ->
              new Action.CryptoTransfer(
                  List.of(
                      new AccountAmount(account(random), -1 - random.nextInt(9)),
                      new AccountAmount(account(random), random.nextInt(9))));
          case 1 -> newAccount(random);
          default ->
              Action.PrivateTransaction.once(
                  new Target.PrivateCall(
                      new ContractAddress("0x" + "0a".repeat(20)),
                      "token",
                      "transfer",
                      Identity.parse("alice@node1"),
                      Bytes.utf8("{\"to\":\"bob@node2\",\"amount\":5}")));
        };
    var body = writer.scheduled(nonce, random.nextInt(1_000), memo(random), action);
    var creation =
        new Creation(
            body,
            random.nextBoolean() ? Optional.of(key(random, 3)) : Optional.empty(),
            random.nextBoolean() ? Optional.of(account(random)) : Optional.empty(),
            memo(random),
            mvp || random.nextBoolean() ? Optional.empty() : Optional.of(2_000L),
            !mvp && random.nextBoolean());
    return new Operation.ScheduleCreate(creation, mvp ? pairs(random) : List.of());
  }

  private static Action.CryptoCreate newAccount(Random random) {
    return new Action.CryptoCreate(
        key(random, 3), new Amount(random.nextInt(9)), random.nextBoolean(), memo(random));
  }

  private static AccountChange change(Random random) {
    return new AccountChange(
        maybe(random, key(random, 3)),
        maybe(random, random.nextBoolean()),
        maybe(random, memo(random)),
        maybe(random, number(random)),
        maybe(random, random.nextBoolean()),
        maybe(random, number(random)),
        maybe(random, random.nextInt()),
        maybe(random, new AccountChange.Stake(random.nextBoolean(), number(random))));
  }

  private static <T> Optional<T> maybe(Random random, T value) {
    return random.nextBoolean() ? Optional.of(value) : Optional.empty();
  }

  private static EntityId account(Random random) {
    return new EntityId(1_001 + random.nextInt(1_000));
  }

  private static String memo(Random random) {
    return random.nextBoolean() ? "" : "memo";
  }

  private static AccountKey key(Random random, int depth) {
    int kind = random.nextInt(depth == 1 ? 2 : 4);
    if (kind < 2) {
      return kind == 0 ? ED25519 : SECP256K1;
    }
    var keys = new ArrayList<AccountKey>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      keys.add(key(random, depth - 1));
    }
    return kind == 2 ? new AccountKey.KeyList(keys) : new AccountKey.ThresholdKey(1, keys);
  }

  private static List<SignaturePair> pairs(Random random) {
    var pairs = new ArrayList<SignaturePair>();
    for (int i = random.nextInt(3); i > 0; i--) {
      var prefix = Bytes.of(new byte[] {(byte) i});
      var algorithm =
          random.nextBoolean() ? PublicKey.Algorithm.ED25519 : PublicKey.Algorithm.ECDSA_SECP256K1;
      pairs.add(new SignaturePair(prefix, algorithm, Bytes.of(new byte[64])));
    }
    return pairs;
  }
}

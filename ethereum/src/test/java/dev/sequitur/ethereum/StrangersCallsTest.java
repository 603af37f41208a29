package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.ChainRpc.Answer.Refusal;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.group.ChangeFlaw;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.ChangeRefused;
import dev.sequitur.protocol.ledger.LedgerReceipt.CommitteeChanged;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.NonceUsed;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What strangers send, and what their contracts say, is read and passed over: one of them that made
 * a node stumble would keep all nodes from reading the chain any further.
 */
class StrangersCallsTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();
  private static final String GROUP = "0x" + "5".repeat(40);
  private static final String STRANGER = "0x" + "6".repeat(40);
  private static final String FACTORY = "0x" + "1".repeat(40);
  private static final String REFUSED = GroupContract.selector("ChangeRefused(uint8)").toHex();
  private static final List<String> TOPICS =
      List.of("Transitions(bytes)", "CommitteeChanged(uint256)");
  private static final String CREATED =
      "Created(address,bytes32,address,uint256,uint256,address[])";
  private static final List<Member> MEMBERS = members(3);

  private final PrivacyGroup group =
      new PrivacyGroup(
          new GroupId(new Hash(1, 1, 1, 1)),
          Anvil.CHAIN,
          new ContractAddress(GROUP),
          "record",
          "test",
          new Committee(MEMBERS),
          2,
          Bytes.EMPTY);

  private final GroupCalls calls =
      new GroupCalls(
          new EthereumLedger.Settings(Anvil.CHAIN, new LedgerAddress(FACTORY), Head.LATEST),
          SIGNATURES,
          contract -> Optional.of(group).filter(it -> it.contract().equals(contract)));

  /** With keys that are on the curve; nobody has what they are the public ones of. */
  private static List<Member> members(int number) {
    return IntStream.iterate(1, x -> x + 1)
        .mapToObj(x -> new Verifier(Bytes.hex("02" + "%064x".formatted(x))))
        .filter(StrangersCallsTest::isOnCurve)
        .limit(number)
        .map(key -> new Member(Identity.parse("m" + key.toString().substring(60) + "@node"), key))
        .toList();
  }

  private static boolean isOnCurve(Verifier key) {
    try {
      return SIGNATURES.address(key) != null;
    } catch (IllegalArgumentException onNone) {
      return false;
    }
  }

  // What there is of each kind, before it is altered

  private static Bytes change(List<Member> members) {
    var quorum = new Quorum(new Committee(members), 2, 1);
    var change = new CommitteeChange(1, quorum, new BlockHeight(9));
    var signatures = members.stream().map(StrangersCallsTest::signature).toList();
    var call = new ChangeCommittee(new ContractAddress(GROUP), change, signatures);
    return GroupContract.change(ChangeCall.of(call, MEMBERS, all -> all));
  }

  private static Signature signature(Member member) {
    return new Signature(member.identity(), member.verifier(), Bytes.hex("1b".repeat(65)));
  }

  private static Bytes fulfill() {
    var alone = new Proof(MerklePath.ALONE, List.of(signature(MEMBERS.getFirst())));
    var other = new Proof(new MerklePath(1, 2, List.of(new Hash(7, 7, 7, 7))), List.of());
    return GroupContract.fulfill(
        FulfillCall.groups(List.of(transition(1, alone), transition(2, other)), each -> 0));
  }

  private static PreparedTransaction transition(int number, Proof proof) {
    var states = List.of(new StateId(new Hash(number, 2, 3, 4)));
    return new PreparedTransaction(
        new IntentKey(
            new TransactionId(new UUID(number, 0)), new SenderCommitment(new Hash(9, 9, 9, 9))),
        new ContractAddress(GROUP),
        states,
        states,
        states,
        proof);
  }

  private static Bytes create() {
    return ChainGroup.createCall(new Hash(1, 2, 3, 4), 2, MEMBERS);
  }

  private static ObjectNode transaction(String to, Bytes data) {
    return JSON.createObjectNode()
        .put("hash", "0x" + "ab".repeat(32))
        .put("blockNumber", "0x7")
        .put("from", "0x" + "4".repeat(40))
        .put("to", to)
        .put("nonce", "0x0")
        .put("gas", "0xffff")
        .put("gasPrice", "0x1")
        .put("value", "0x0")
        .put("input", data.toHex());
  }

  private static ObjectNode receipt(boolean hasFailed) {
    var receipt =
        JSON.createObjectNode()
            .put("blockNumber", "0x7")
            .put("transactionIndex", "0x0")
            .put("status", hasFailed ? "0x0" : "0x1")
            .put("gasUsed", "0x1");
    receipt.putArray("logs");
    return receipt;
  }

  private static ObjectNode telling(String contract, String event, Bytes data) {
    var receipt = receipt(false);
    var log = receipt.withArray("logs").addObject().put("address", contract);
    log.put("data", data.toHex()).putArray("topics").add(topic(event));
    return receipt;
  }

  private static String topic(String event) {
    return Digests.keccak256(Bytes.utf8(event)).toString();
  }

  /** Of one byte for each transition. */
  private static Bytes outcomes(String hex) {
    return Bytes.hex("%064x%064x".formatted(32, hex.length() / 2) + (hex + "0".repeat(64)));
  }

  private LedgerReceipt read(ObjectNode transaction, ObjectNode receipt, Optional<String> said) {
    return calls.receipt(
        transaction,
        receipt,
        said.map(data -> new Refusal(3, "execution reverted", data)),
        Optional.empty(),
        false);
  }

  @Test
  void whatIsNotAlteredIsRead() {
    var change = transaction(GROUP, change(MEMBERS));
    var fulfill = transaction(GROUP, fulfill());

    assertThat(read(change, telling(GROUP, TOPICS.get(1), Bytes.EMPTY), Optional.empty()).results())
        .hasOnlyElementsOfType(CommitteeChanged.class);
    assertThat(
            read(fulfill, telling(GROUP, TOPICS.get(0), outcomes("0000")), Optional.empty())
                .results())
        .hasSize(2)
        .hasOnlyElementsOfType(Fulfilled.class);
    assertThat(calls.decode(change, Optional.empty()).orElseThrow().call())
        .isInstanceOfSatisfying(
            ChangeCommittee.class, it -> assertThat(it.signatures()).hasSize(MEMBERS.size()));
    assertThat(calls.decode(fulfill, Optional.empty()).orElseThrow().call())
        .isInstanceOf(Invoke.class);
    assertThat(calls.genesis(transaction(FACTORY, create()))).contains(new Hash(1, 2, 3, 4));
  }

  @ParameterizedTest
  @EnumSource(ChangeFlaw.class)
  void theFlawThatAContractTellsIsRead(ChangeFlaw flaw) {
    var said = REFUSED + "%064x".formatted(flaw.ordinal());

    assertThat(GroupContract.flaw(said)).contains(flaw);
    assertThat(
            read(transaction(GROUP, change(MEMBERS)), receipt(true), Optional.of(said)).results())
        .containsExactly(new ChangeRefused(new ContractAddress(GROUP), 1, flaw));
  }

  /** Behind the error's four bytes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000009",
        "00000000000000000000000000000000000000000000000000000000000000c8",
        "000000000000000000000000000000000000000000000000000000007fffffff",
        "0000000000000000000000000000000000000000000000000000000080000000",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "0"
      })
  void aFlawThatNoGroupTellsIsNone(String behind) {
    var said = Optional.of(REFUSED + behind);

    assertThat(GroupContract.flaw(said.get())).isEmpty();
    assertThat(read(transaction(STRANGER, change(MEMBERS)), receipt(true), said).results())
        .containsExactly(new NonceUsed());
  }

  /** No contract of a group takes it; whoever asks what was sent is told of nothing. */
  @Test
  void aChangeWhoseKeysAreOnNoCurveIsNoneOfThisProduct() {
    for (var key : List.of("02" + "ff".repeat(32), "04" + "01".repeat(32), "00".repeat(33))) {
      var members = new ArrayList<>(MEMBERS);
      members.set(1, new Member(MEMBERS.get(1).identity(), new Verifier(Bytes.hex(key))));

      var call = transaction(GROUP, change(members));

      assertThat(calls.decode(call, Optional.empty())).as(key).isEmpty();
    }
  }

  /**
   * Another node may have told of a group whose keys are none; no contract is made on its terms.
   */
  @Test
  void aGroupWhoseKeysAreOnNoCurveIsMadeByNobody() {
    var member =
        new Member(MEMBERS.getFirst().identity(), new Verifier(Bytes.hex("02" + "ff".repeat(32))));
    var terms =
        new ContractGenesis(
            new GroupId(new Hash(5, 5, 5, 5)),
            "made",
            new Committee(List.of(member)),
            1,
            Bytes.EMPTY);
    var deploy = Optional.of(new Deploy("record", terms));
    var call = transaction(FACTORY, create());
    var receipt = telling(FACTORY, CREATED, Bytes.EMPTY);
    ((ArrayNode) receipt.at("/logs/0/topics")).add("0x" + "0".repeat(24) + GROUP.substring(2));

    assertThat(calls.decode(call, deploy)).isEmpty();
    assertThat(calls.receipt(call, receipt, Optional.empty(), deploy, false).results())
        .containsExactly(new NonceUsed());
  }

  @Property(tries = 2_000)
  void whateverAStrangerSendsAndSaysIsReadAndPassedOver(@ForAll long seed) {
    var random = new Random(seed);
    var data = altered(one(random, List.of(change(MEMBERS), fulfill(), create())), random);
    var transaction = transaction(one(random, List.of(GROUP, STRANGER, FACTORY)), data);
    var event = telling(STRANGER, one(random, TOPICS), altered(outcomes("0001"), random));
    ((ObjectNode) event.at("/logs/0")).put("address", transaction.get("to").textValue());
    var receipt = random.nextBoolean() ? receipt(true) : event;
    var refused = altered(Bytes.hex(REFUSED + "%064x".formatted(random.nextInt(12))), random);
    var said = one(random, List.of("", "0x", refused.toHex()));

    assertThatCode(
            () -> {
              calls.concerns(transaction);
              calls.isOfGroup(transaction);
              calls.genesis(transaction);
              calls.decode(transaction, Optional.empty());
              for (boolean awaited : new boolean[] {false, true}) {
                calls.receipt(
                    transaction,
                    receipt,
                    Optional.of(new Refusal(3, "execution reverted", said)),
                    Optional.empty(),
                    awaited);
              }
            })
        .doesNotThrowAnyException();
  }

  /** It stands in the receipt of each transition of the call. */
  @Test
  void ofWhatAContractSaysAsItRefusesACallTheBeginningIsKept() {
    var said = "0x" + "ab".repeat(50_000);

    var results = read(transaction(GROUP, fulfill()), receipt(true), Optional.of(said)).results();

    assertThat(results)
        .hasSize(2)
        .allSatisfy(
            each ->
                assertThat(((LedgerReceipt.Reverted) each).message())
                    .startsWith("The contract said 0xabab")
                    .endsWith("(100002 characters)")
                    .hasSizeLessThan(1_100));
  }

  private static <T> T one(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** Its first four bytes stay, which say what it is. */
  private static Bytes altered(Bytes whole, Random random) {
    byte[] bytes = whole.toByteArray();
    switch (random.nextInt(6)) {
      case 0 -> bytes = Arrays.copyOf(bytes, 4 + random.nextInt(bytes.length - 3));
      case 1 -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(80));
      case 2 -> {
        var rest = new byte[random.nextInt(400)];
        random.nextBytes(rest);
        bytes = Arrays.copyOf(bytes, 4 + rest.length);
        System.arraycopy(rest, 0, bytes, 4, rest.length);
      }
      case 3 -> {
        int word = 4 + random.nextInt(Math.max(1, bytes.length - 35));
        byte[] number =
            BigInteger.ONE.shiftLeft(random.nextInt(256)).subtract(BigInteger.ONE).toByteArray();
        int length = Math.min(number.length, bytes.length - word);
        System.arraycopy(number, 0, bytes, word, length);
      }
      default -> {
        for (int i = 0; i <= random.nextInt(3) && bytes.length > 4; i++) {
          bytes[4 + random.nextInt(bytes.length - 4)] = (byte) random.nextInt();
        }
      }
    }
    return Bytes.of(bytes);
  }
}

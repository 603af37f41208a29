package dev.sequitur.node.rpc;

import dev.sequitur.cluster.placement.ShardMoves;
import dev.sequitur.protocol.attestation.MerklePath;
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
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.ChangeStore;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.submitter.SubmitterState;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Receipt.OnLedger;
import dev.sequitur.protocol.transaction.Signature;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.view.JvmView;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Valid objects for the tests and for the examples of the reference page. */
public final class Sample {
  static final NodeName NODE = new NodeName("node1");
  static final Identity ALICE = Identity.parse("alice@node1");
  static final Identity BOB = Identity.parse("bob@node2");
  public static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  public static final ContractAddress CONTRACT = new ContractAddress("0x" + "11".repeat(20));

  /** The second has joined lately, and gets its share. */
  static final List<JvmView> JVMS =
      List.of(
          jvm("10.0.0.1", true, 64, new ShardMoves(8, 0), List.of("ledger-indexer", "gas-keeper")),
          jvm("10.0.0.2", false, 56, new ShardMoves(0, 8), List.of()));

  private static JvmView jvm(
      String host, boolean asked, int shards, ShardMoves moves, List<String> singletons) {
    return new JvmView(
        "akka://node1@%s:25520".formatted(host),
        asked,
        "up",
        Optional.of(
            new JvmView.Told(
                NOW,
                Map.of(
                    "coordinator",
                    new JvmView.Share(shards, 12, moves),
                    "sender",
                    new JvmView.Share(64, 12, new ShardMoves(0, 0))),
                singletons,
                4530,
                1200,
                Duration.ofMillis(12_500),
                12)));
  }

  /** The generator of the curve: a key that is on it. */
  static final Verifier VERIFIER =
      new Verifier(
          Bytes.hex("0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"));

  /** Another one. */
  static final Verifier OTHER =
      new Verifier(
          Bytes.hex("0x02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"));

  static final GroupId GROUP = new GroupId(hash("group"));
  static final GroupId UNCONFIRMED = new GroupId(hash("unconfirmed"));
  static final GroupId AWAITED = new GroupId(hash("awaited"));
  static final TransactionId CONFIRMED = id(1);
  static final TransactionId REVERTED = id(2);
  static final TransactionId PENDING = id(3);
  static final TransactionId EXTERNAL = id(4);
  static final TransactionId GENESIS = id(9);
  static final TransactionHash LEDGER_TRANSACTION = new TransactionHash(hash("transaction"));

  private Sample() {}

  static TransactionId id(int number) {
    return new TransactionId(UUID.fromString("6f1c6f0e-0000-4000-8000-%012d".formatted(number)));
  }

  static Hash hash(String text) {
    return Hash.sha256(text.getBytes(StandardCharsets.UTF_8));
  }

  static StateId state(String text) {
    return new StateId(hash(text));
  }

  static PrivacyGroup group() {
    return new PrivacyGroup(
        GROUP,
        BaseLedger.LOCAL_CHAIN,
        CONTRACT,
        "token",
        "traders",
        new Committee(List.of(new Member(ALICE, VERIFIER), new Member(BOB, VERIFIER))),
        2,
        Bytes.utf8("{}"));
  }

  /** Bob gets another key, and neither of the two has signed it but Alice. */
  static AgreedChange agreedChange() {
    var members = new Committee(List.of(new Member(ALICE, VERIFIER), new Member(BOB, OTHER)));
    return AgreedChange.of(
            CONTRACT,
            new CommitteeChange(1, new Quorum(members, 2, 2), new BlockHeight(100_000)),
            NOW,
            "operator",
            ChangeStore.Phase.GATHERING)
        .plus(List.of(new Signature(ALICE, VERIFIER, Bytes.of(new byte[65]))));
  }

  static StoredGroup confirmedGroup() {
    return StoredGroup.of(GROUP, NOW)
        .withGenesisTransaction(Optional.of(GENESIS))
        .withRequest(
            Bytes.utf8(
                "{\"domain\":\"token\",\"name\":\"traders\",\"members\":[\"alice@node1\",\"bob@node2\"],\"properties\":{\"desk\":\"7\"},\"configuration\":{}}"))
        .withGroup(Optional.of(group()));
  }

  static StoredGroup unconfirmedGroup() {
    return StoredGroup.of(UNCONFIRMED, NOW.plusSeconds(5))
        .withGenesisTransaction(Optional.of(id(10)))
        .withRequest(
            Bytes.utf8(
                "{\"domain\":\"record\",\"name\":\"ledgerless\",\"members\":[\"alice@node1\"],\"properties\":{},\"configuration\":{}}"));
  }

  /** Given by another node. */
  static StoredGroup awaitedGroup() {
    return StoredGroup.of(AWAITED, NOW.plusSeconds(6))
        .withDeployment(
            Optional.of(
                new NodeStore.Deployment(
                    "token",
                    new ContractGenesis(
                        AWAITED, "rumoured", group().committee(), 2, Bytes.utf8("{}")))));
  }

  static Intent intent(TransactionId id, String key, SubmitMode mode) {
    var transaction =
        new PrivateTransaction(
            id,
            CONTRACT,
            "token",
            "transfer",
            ALICE,
            Bytes.utf8("{\"to\":\"bob@node2\",\"amount\":\"10\"}"),
            mode,
            List.of(),
            hash("salt"));
    return new Intent(
        0,
        NOW,
        Optional.ofNullable(key)
            .map(name -> new IdempotencyKey(IdempotencyKey.Owner.of(ALICE), name)),
        hash(id.toString()),
        transaction);
  }

  static Receipt confirmed(TransactionId id) {
    return new Receipt(
        id,
        CONTRACT,
        "token",
        true,
        Optional.of(
            new OnLedger(
                LEDGER_TRANSACTION,
                new BlockHeight(7),
                0,
                List.of(state("in")),
                List.of(),
                List.of(state("out")))),
        Optional.empty(),
        NOW.plusSeconds(2));
  }

  static Receipt reverted(TransactionId id) {
    return Receipt.reverted(
            id, CONTRACT, "token", "The sender does not hold the amount.", NOW.plusSeconds(3))
        .after(
            new Receipt.Course(
                2,
                Optional.of(BOB.node()),
                Optional.empty(),
                List.of(
                    new Receipt.Happened(NOW, "Delegated to node2."),
                    new Receipt.Happened(NOW.plusSeconds(1), "The first reason."),
                    new Receipt.Happened(NOW.plusSeconds(3), "The second reason."))));
  }

  static final TransactionId CALLED = id(5);
  static final TransactionId CALLING = id(6);
  static final TransactionHash CALL = new TransactionHash(hash("call"));

  /** What {@link #CALLED} came with. */
  static final String CALLED_ABI = "[{\"type\":\"function\",\"name\":\"count\",\"inputs\":[]}]";

  /** Two public transactions, of which the first is in a block. */
  static void publics(NodeStore store) {
    store.accept(
        List.of(publicly(CALLED, Optional.of(CALLED_ABI)), publicly(CALLING, Optional.empty())));
    store.complete(
        List.of(
            new Receipt(
                CALLED,
                CONTRACT,
                "",
                false,
                Optional.of(
                    new OnLedger(CALL, new BlockHeight(8), 1, List.of(), List.of(), List.of())),
                Optional.of("The contract reverted: Panic 1: an assertion failed."),
                NOW.plusSeconds(2),
                Optional.empty(),
                Optional.of(
                    new Receipt.Called(
                        Optional.empty(),
                        Bytes.hex("0x4e487b71" + "0".repeat(63) + "1"),
                        Optional.of(new Receipt.Nonce(SIGNER, 4)))))));
  }

  /** That of {@link #VERIFIER}. */
  static final LedgerAddress SIGNER =
      new LedgerAddress("0x7e5f4552091a69125d5dfcb7b8c2659029395bdf");

  static Intent publicly(TransactionId id, Optional<String> abi) {
    var transaction =
        new PublicTransaction(
            id,
            ALICE,
            Optional.of(new ContractAddress("0x" + "33".repeat(20))),
            Bytes.hex("0x371303c0"),
            BigInteger.ZERO,
            50_000,
            new PublicTransaction.Source(Optional.empty(), Optional.empty(), abi.map(Bytes::utf8)));
    return new Intent(0, NOW, Optional.empty(), hash(id.toString()), transaction);
  }

  static SubmitterState.Submitted submitted() {
    return new SubmitterState.Submitted(
        NOW.plusSeconds(1), new TransactionHash(hash("submitted")), new Fees(2_000, 1_000));
  }

  static PreparedTransaction prepared() {
    return prepared(EXTERNAL, SubmitMode.EXTERNAL, MerklePath.ALONE);
  }

  /** What the base ledger was given for {@link #CONFIRMED}: the second of a batch of two. */
  static PreparedTransaction endorsed() {
    return prepared(
        CONFIRMED, SubmitMode.AUTO, new MerklePath(1, 2, List.of(hash("the other's leaf"))));
  }

  private static PreparedTransaction prepared(TransactionId id, SubmitMode mode, MerklePath path) {
    return new PreparedTransaction(
        intent(id, null, mode).privately().orElseThrow().key(),
        CONTRACT,
        List.of(state("in")),
        List.of(),
        List.of(state("out")),
        new Proof(path, List.of(new Signature(BOB, VERIFIER, Bytes.of(new byte[65])))));
  }

  static PrivateState output() {
    return new PrivateState(
        state("out"),
        CONTRACT,
        "coin",
        "bob@node2",
        Bytes.utf8(
            "{\"amount\":\"10\",\"intent\":\"%s\",\"owner\":\"bob@node2\",\"salt\":\"%s\"}"
                .formatted(hash("intent"), hash("salt"))),
        List.of(BOB));
  }
}

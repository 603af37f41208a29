package dev.sequitur.sequencer.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ledger.AuditReport;
import dev.sequitur.ledger.Conservation;
import dev.sequitur.ledger.EmbeddedLedger;
import dev.sequitur.ledger.LedgerAudit;
import dev.sequitur.ledger.LedgerRuntime;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.ledger.LedgerStorage;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.sequencer.SequencerNode;
import dev.sequitur.trace.TraceRing;
import dev.sequitur.trace.TraceRing.TraceLimits;
import dev.sequitur.transport.FaultRules;
import dev.sequitur.transport.InProcessNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whole nodes in one JVM, each with an actor system and a directory of its own, and the ledger they
 * share. Used by one thread.
 */
final class TestNetwork implements AutoCloseable {
  /** A bound for what hangs: with two busy cores and a lossy network it may take half a minute. */
  /** Not the usual one, so that whoever takes another than it was told signs in vain. */
  static final long CHAIN = 4242;

  static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path directory;
  private final InProcessNetwork transports = new InProcessNetwork();
  private final FaultRules faults = new FaultRules(1);
  private final TraceRing trace = new TraceRing(TraceLimits.DEFAULT, InstantSource.system());
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService workers = Executors.newFixedThreadPool(2);
  private final EmbeddedLedger ledger;
  private final Map<String, TestNode> nodes = new LinkedHashMap<>();
  private final AtomicLong keys = new AtomicLong();

  /** Blocks are cut by hand, or by the time after {@link #cutBlocks}. */
  TestNetwork(Path directory, Duration blockTime) {
    this.directory = directory;
    this.ledger =
        EmbeddedLedger.open(
            LedgerStorage.inMemory(),
            LedgerSettings.DEFAULT
                .withChainId(CHAIN)
                .withBlockTime(blockTime)
                .withFinalityDepth(1_000),
            new LedgerRuntime(
                new Secp256k1Signatures(), InstantSource.system(), scheduler, workers));
  }

  void cutBlocks() {
    ledger.start();
  }

  /** Starts a node, on the directory that it had before if it was there. */
  TestNode start(String name, TestNode.Kind kind) {
    return start(name, kind, Optional.empty());
  }

  /**
   * Starts it, and has it read the ledger again from where that has parted from what it read.
   *
   * @param gone the block that it has read last
   */
  TestNode reindex(String name, TestNode.Kind kind, Hash gone) {
    return start(name, kind, Optional.of(gone));
  }

  private TestNode start(String name, TestNode.Kind kind, Optional<Hash> gone) {
    var node = TestNode.start(this, new NodeName(name), kind, gone);
    nodes.put(name, node);
    return node;
  }

  TestNode start(String name) {
    return start(name, TestNode.Kind.USUAL);
  }

  void stop(String name) {
    nodes.remove(name).close();
  }

  TestNode node(String name) {
    return nodes.get(name);
  }

  Path directory() {
    return directory;
  }

  InProcessNetwork transports() {
    return transports;
  }

  FaultRules faults() {
    return faults;
  }

  TraceRing trace() {
    return trace;
  }

  ScheduledExecutorService scheduler() {
    return scheduler;
  }

  EmbeddedLedger ledger() {
    return ledger;
  }

  /** As a caller does who signs for itself, each time with a new key. */
  void submitByHand(LedgerTransaction.Call call) {
    var signer = newKeys().signer("caller");
    var address = new Secp256k1Signatures().address(signer.verifier());
    var transaction = new LedgerTransaction(address, 0, Fees.flat(1_000), 0, call);
    get(ledger().submit(List.of(ledger().sign(transaction, signer))));
  }

  /** Asks the first member's node for it and returns when all members' nodes know the contract. */
  ContractAddress createGroup(String domain, String name, Identity... members) {
    return createGroup(domain, name, "{}", members);
  }

  /** The same with a configuration. */
  ContractAddress createGroup(
      String domain, String name, String configuration, Identity... members) {
    var creator = nodes.get(members[0].node().value()).sequencer();
    var stored =
        get(
            creator.createGroup(
                new GroupRequest(
                    domain, name, List.of(members), Bytes.utf8(configuration), Bytes.utf8(name))));
    var found = new ArrayList<ContractAddress>();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              found.clear();
              for (var member : members) {
                groups(nodes.get(member.node().value()).sequencer()).stream()
                    .filter(group -> group.id().equals(stored.id()))
                    .forEach(group -> found.add(group.contract()));
              }
              return found.size() == members.length;
            });
    return found.get(0);
  }

  /** Those whose contract is confirmed, as far as the JVM has heard of it. */
  static List<PrivacyGroup> groups(SequencerNode node) {
    return get(node.store().groups(Optional.empty(), Integer.MAX_VALUE)).stream()
        .flatMap(stored -> stored.group().stream())
        .filter(group -> get(node.knows(group.contract())))
        .toList();
  }

  /** Sends it to its own node. */
  TransactionId submit(Intent intent) {
    var node = nodes.get(intent.transaction().from().node().value());
    return get(node.sequencer().submit(List.of(intent))).get(0);
  }

  /** Returns when all have a receipt on their nodes. */
  List<Receipt> receipts(List<Intent> intents) {
    var receipts = new LinkedHashMap<TransactionId, Receipt>();
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () -> {
              for (var intent : intents) {
                var transaction = intent.privately().orElseThrow();
                if (!receipts.containsKey(transaction.id())) {
                  var node = nodes.get(transaction.from().node().value());
                  get(node.sequencer().store().receipt(transaction.id()))
                      .ifPresent(known -> receipts.put(transaction.id(), known.receipt()));
                }
              }
              assertThat(receipts).hasSize(intents.size());
            });
    return List.copyOf(receipts.values());
  }

  /** Sends them and returns when all are confirmed. */
  void confirm(List<Intent> intents) {
    intents.forEach(this::submit);
    assertThat(receipts(intents)).allMatch(Receipt::success, "confirmed");
  }

  /** As the domain at the owner's node tells it to the owner. */
  String balance(ContractAddress coins, Identity owner) {
    var question = Bytes.utf8("{\"owner\":\"" + owner + "\"}");
    var node = nodes.get(owner.node().value()).sequencer();
    return new String(
        get(node.call(coins, owner, "balanceOf", question)).toByteArray(), StandardCharsets.UTF_8);
  }

  AuditReport audit() {
    return new LedgerAudit(Conservation.UNKNOWN).read(ledger, ledger.headHeight()).report();
  }

  /** What the intents of a contract have made. */
  List<StateId> states(ContractAddress contract) {
    return get(ledger.blocks(new BlockHeight(1), 100_000)).stream()
        .flatMap(block -> block.receipts().stream())
        .flatMap(receipt -> receipt.results().stream())
        .filter(LedgerReceipt.Fulfilled.class::isInstance)
        .map(LedgerReceipt.Fulfilled.class::cast)
        .filter(fulfilled -> fulfilled.contract().equals(contract))
        .flatMap(fulfilled -> fulfilled.created().stream())
        .toList();
  }

  /** Of somebody whom no node knows. */
  Keys newKeys() {
    try {
      return FileKeys.open(Files.createDirectories(directory.resolve(newKey())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An idempotency key that no other intent has. */
  String newKey() {
    return "key-" + keys.incrementAndGet();
  }

  static <T> T get(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    nodes.values().forEach(TestNode::close);
    ledger.close();
    scheduler.shutdownNow();
    workers.shutdown();
  }
}

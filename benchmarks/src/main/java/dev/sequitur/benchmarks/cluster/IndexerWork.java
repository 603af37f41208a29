package dev.sequitur.benchmarks.cluster;

import static dev.sequitur.benchmarks.Benchmarks.print;

import akka.actor.ActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.SerializerWithStringManifest;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.benchmarks.Resources;
import dev.sequitur.encoding.ByteReader;
import dev.sequitur.encoding.ByteWriter;
import dev.sequitur.encoding.Codec;
import dev.sequitur.ledger.codec.LedgerFormat;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.BlockDelivery;
import dev.sequitur.protocol.indexing.Indexer;
import dev.sequitur.protocol.indexing.NoticeParts;
import dev.sequitur.protocol.indexing.WantedShards;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.sequencer.actor.BlockFeedCommand;
import dev.sequitur.sequencer.actor.LedgerIndexer;
import dev.sequitur.sequencer.actor.SenderActor;
import dev.sequitur.sequencer.actor.StateStoreActor;
import java.io.NotSerializableException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a node's indexer does for blocks full of transitions, without a ledger, a cluster and a
 * network: its rules, and the bytes that it makes of what it tells the node's other JVMs, and reads
 * of what they answer.
 */
@Command(
    name = "indexer",
    description =
        "Measures the work of the one indexer of a node of many JVMs: splitting blocks, and what it"
            + " tells the JVMs of them.")
public final class IndexerWork implements Callable<Integer> {
  private static final int SHARDS = 128;
  private static final long PART_BYTES = 4L << 20;
  private static final Codec<Block> BLOCK = LedgerFormat.of(Block.class);

  @Option(names = "--transitions", defaultValue = "3000", description = "In each block.")
  private int transitions;

  @Option(names = "--contracts", defaultValue = "1000", description = "Of them, in turn.")
  private int contracts;

  @Option(
      names = "--together",
      defaultValue = "64",
      description = "In one base-ledger transaction, at most; of one contract.")
  private int together;

  @Option(names = "--jvms", defaultValue = "10", description = "Of the node.")
  private int jvms;

  @Option(names = "--blocks", defaultValue = "100", description = "Measured; half as many before.")
  private int blocks;

  private final SplittableRandom random = new SplittableRandom(7);
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Map<String, Long> nanos = new TreeMap<>();
  private final Map<String, Long> counted = new TreeMap<>();
  private List<ContractAddress> addresses = List.of();
  private List<WantedShards> wanted = List.of();

  @Override
  public Integer call() throws Exception {
    addresses =
        IntStream.range(0, contracts)
            .mapToObj(i -> new ContractAddress("0x" + "%040x".formatted(random.nextLong() >>> 1)))
            .toList();
    wanted =
        IntStream.range(0, jvms)
            .mapToObj(
                jvm ->
                    WantedShards.some(
                        SHARDS,
                        IntStream.range(0, SHARDS)
                            .filter(shard -> shard % jvms == jvm)
                            .boxed()
                            .toList()))
            .toList();
    var system = ActorSystem.create("indexer", config());
    try {
      measure(blocks / 2, system);
      nanos.clear();
      counted.clear();
      measure(blocks, system);
      report();
    } finally {
      system.terminate();
    }
    return 0;
  }

  private static Config config() {
    return ConfigFactory.parseString(
            """
            akka { actor.provider = local, loglevel = OFF, stdout-loglevel = OFF }
            akka.library-extensions = []
            """)
        .withFallback(ConfigFactory.load());
  }

  private void measure(int number, ActorSystem system) throws NotSerializableException {
    var indexer = new Indexer(0, new AllKnown());
    var machine = indexer.machine(new IndexedTo(BlockHeight.ZERO, new Hash(0, 0, 0, 0)));
    var host = new Host<>(machine, machine.initial());
    ActorRef<LedgerIndexer.Ack> self =
        Adapter.<LedgerIndexer.Ack>spawnAnonymous(system, Behaviors.ignore());
    var serialization = SerializationExtension.get(system);
    var parent = new Hash(0, 0, 0, 0);
    for (int height = 1; height <= number; height++) {
      var block = read(block(new BlockHeight(height), parent));
      parent = block.hash();
      long begun = begin();
      var effects =
          host.fold(List.of(new Indexer.Input.Read(block.height(), block)), now()).effects();
      end("split a block", begun, 1, 0);
      var acks = new ArrayList<LedgerIndexer.Ack>();
      for (var effect : effects) {
        switch (effect) {
          case Indexer.Effect.Deliver(var delivery) -> {
            tell(delivery, self, serialization);
            acks.add(new LedgerIndexer.Ack(delivery.height(), delivery.to()));
          }
          case Indexer.Effect.HandOn handOn -> tell(handOn, serialization);
          case Indexer.Effect.StoreProgress(var upTo) ->
              host.fold(List.of(new Indexer.Input.Stored(upTo)), now());
          default -> {
            // Nothing that grows with the block.
          }
        }
      }
      acknowledge(acks, host, serialization);
    }
  }

  /** As it comes from a ledger in a process of its own. */
  private Block read(Block made) {
    var bytes = new ByteWriter().put(BLOCK, made).finish();
    long begun = begin();
    var block = ByteReader.readAll(bytes, BLOCK::read);
    end("read a block", begun, 1, bytes.length);
    return block;
  }

  private void tell(
      BlockDelivery delivery, ActorRef<LedgerIndexer.Ack> self, Serialization serialization) {
    long begun = begin();
    switch (delivery) {
      case BlockDelivery.ToSender(var contract, var notice) ->
          end(
              "tell senders",
              begun,
              1,
              bytes(new SenderActor.BlockIndexed(notice, self), serialization));
      case BlockDelivery.ToStateStore(var contract, var notice, var after) ->
          end(
              "tell state stores",
              begun,
              1,
              bytes(new StateStoreActor.BlockIndexed(notice, after, self), serialization));
      default -> {
        // Submitters of this node, of its own transactions only.
      }
    }
  }

  /** Of each JVM the notices that it wants. */
  private void tell(Indexer.Effect.HandOn handOn, Serialization serialization) {
    var before = new BlockHeight(handOn.height().value() - 1);
    for (var its : wanted) {
      long begun = begin();
      var filter = its.filter();
      var notices = new HashMap<>(handOn.notices());
      notices.keySet().removeIf(contract -> !filter.test(contract));
      long bytes = 0;
      var parts = NoticeParts.of(notices, PART_BYTES);
      for (int part = 0; part < parts.size(); part++) {
        bytes +=
            bytes(
                new BlockFeedCommand.Indexed(
                    handOn.height(),
                    before,
                    handOn.indexed(),
                    its,
                    part,
                    parts.size(),
                    parts.get(part),
                    handOn.groups()),
                serialization);
      }
      end("tell feeds", begun, parts.size(), bytes);
    }
  }

  private void acknowledge(
      List<LedgerIndexer.Ack> acks,
      Host<Indexer.Input, Indexer.State, Void, Indexer.Effect> host,
      Serialization serialization)
      throws NotSerializableException {
    for (var ack : acks) {
      var written = (SerializerWithStringManifest) serialization.findSerializerFor(ack);
      var bytes = written.toBinary(ack);
      long begun = begin();
      var read = (LedgerIndexer.Ack) written.fromBinary(bytes, written.manifest(ack));
      host.fold(List.of(new Indexer.Input.Acknowledged(read.height(), read.who())), now())
          .effects()
          .forEach(
              effect -> {
                if (effect instanceof Indexer.Effect.StoreProgress(var upTo)) {
                  host.fold(List.of(new Indexer.Input.Stored(upTo)), now());
                }
              });
      end("take acknowledgements", begun, 1, bytes.length);
    }
  }

  private static int bytes(Object message, Serialization serialization) {
    return serialization.serialize(message).get().length;
  }

  private static Instant now() {
    return Instant.EPOCH;
  }

  private long begin() {
    return threads.getCurrentThreadCpuTime();
  }

  private void end(String what, long begun, int messages, long bytes) {
    nanos.merge(what, threads.getCurrentThreadCpuTime() - begun, Long::sum);
    counted.merge(what, (long) messages, Long::sum);
    counted.merge(what + " bytes", bytes, Long::sum);
  }

  private Block block(BlockHeight height, Hash parent) {
    var receipts = new ArrayList<LedgerReceipt>();
    int each = Math.max(1, Math.min(together, transitions / contracts));
    for (int made = 0; made < transitions; made += each) {
      var contract = addresses.get(receipts.size() % contracts);
      var results =
          IntStream.range(0, Math.min(each, transitions - made))
              .<LedgerReceipt.Result>mapToObj(
                  i ->
                      new LedgerReceipt.Fulfilled(
                          contract,
                          intent(),
                          List.of(new StateId(hash())),
                          List.of(),
                          List.of(new StateId(hash()))))
              .toList();
      receipts.add(
          new LedgerReceipt(
              new TransactionHash(hash()),
              new LedgerAddress("0x" + "0".repeat(40)),
              made,
              height,
              receipts.size(),
              results));
    }
    return new Block(height, hash(), parent, Instant.EPOCH, receipts);
  }

  private IntentKey intent() {
    return new IntentKey(
        new TransactionId(new UUID(random.nextLong(), random.nextLong())),
        new SenderCommitment(hash()));
  }

  private Hash hash() {
    return new Hash(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
  }

  private void report() {
    print(
        "%s, load average %.1f%n%,d transitions of %,d contracts in each block, %d JVMs; for each block:",
        Resources.machine(), Resources.loadAverage(), transitions, contracts, jvms);
    double all = 0;
    for (var step : nanos.entrySet()) {
      double millis = step.getValue() / 1e6 / blocks;
      all += millis;
      print(
          "%-22s %8.2f ms of a processor, %,8d messages, %,8.1f kB",
          step.getKey(),
          millis,
          counted.get(step.getKey()) / blocks,
          counted.get(step.getKey() + " bytes") / 1e3 / blocks);
    }
    print("%-22s %8.2f ms", "together", all);
    print(
        "Of what is told, one part in %d stays in the indexer's JVM and is no bytes there.", jvms);
  }

  private static final class AllKnown implements Indexer.Groups {
    @Override
    public boolean isKnown(ContractAddress contract) {
      return true;
    }

    @Override
    public Optional<ContractAddress> submitsFor(LedgerAddress signer) {
      return Optional.empty();
    }

    @Override
    public Optional<Identity> signsPublicly(LedgerAddress signer) {
      return Optional.empty();
    }

    @Override
    public Optional<PrivacyGroup> group(ContractAddress contract) {
      return Optional.empty();
    }

    @Override
    public Optional<PrivacyGroup> beginsWith(LedgerReceipt.Deployed deployed) {
      return Optional.empty();
    }
  }
}

package dev.sequitur.sequencer.actor;

import akka.actor.typed.ActorRef;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Splits a block by contract and tells those who must not miss it. Confined to the indexer. */
final class BlockDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(BlockDelivery.class);

  private final NodeServices services;
  private final ActorRef<LedgerIndexer.Command> indexer;

  /** The last block that had states of each contract, since this indexer was started. */
  private final Map<ContractAddress, BlockHeight> lastWithStates = new HashMap<>();

  private final List<StoredGroup> newGroups = new ArrayList<>();
  private List<StoredGroup> delivered = List.of();

  /** What a block has of one contract. */
  static final class OfContract {
    private final Map<IntentKey, Receipt.OnLedger> confirmed = new LinkedHashMap<>();
    private final List<StateId> spent = new ArrayList<>();
    private final List<StateId> created = new ArrayList<>();

    private void add(LedgerReceipt receipt, LedgerReceipt.Fulfilled result) {
      confirmed.put(result.intent(), receipt.onLedger(result));
      spent.addAll(result.spent());
      created.addAll(result.created());
    }

    BlockNotice notice(BlockHeight height, Instant indexed) {
      return new BlockNotice(height, indexed, true, confirmed, spent, created);
    }
  }

  BlockDelivery(NodeServices services, ActorRef<LedgerIndexer.Command> indexer) {
    this.services = services;
    this.indexer = indexer;
  }

  /** By contract, those of this node's groups only; new groups are taken up on the way. */
  Map<ContractAddress, OfContract> split(Block block) {
    var split = new LinkedHashMap<ContractAddress, OfContract>();
    for (var receipt : block.receipts()) {
      switch (receipt.result()) {
        case LedgerReceipt.Deployed deployed -> takeUp(deployed);
        case LedgerReceipt.Fulfilled fulfilled -> {
          if (services.groups().find(fulfilled.contract()).isPresent()) {
            split
                .computeIfAbsent(fulfilled.contract(), contract -> new OfContract())
                .add(receipt, fulfilled);
          }
        }
        // These change no state; their submitter gets their receipts.
        case LedgerReceipt.Reverted ignored -> {}
        case LedgerReceipt.NonceUsed ignored -> {}
      }
    }
    return split;
  }

  /** A group of this node: its committee is what stands on the ledger (SEL-6). */
  private void takeUp(LedgerReceipt.Deployed deployed) {
    var genesis = deployed.genesis();
    var domain = services.setup().domains().get(deployed.domain());
    if (!genesis.committee().hasMemberOn(services.self()) || domain == null) {
      return;
    }
    if (NodeKeyNames.areClaimedBy(genesis.committee(), services.self())) {
      LOG.warn(
          "The group {} names a key of this node's own as a member of it; this node takes no part.",
          genesis.group());
      return;
    }
    var group =
        new PrivacyGroup(
            genesis.group(),
            deployed.contract(),
            deployed.domain(),
            genesis.name(),
            genesis.committee(),
            genesis.configuration());
    // Another JVM may have read this block before it died, without storing the group.
    services.groups().add(group);
    newGroups.add(
        new StoredGroup(
            group.id(), services.now(), Optional.empty(), Bytes.EMPTY, Optional.of(group)));
  }

  /** The block as the feeds of all JVMs are given it; to be asked for after {@link #deliver}. */
  BlockFeedCommand.Indexed forFeeds(
      Block block, Map<ContractAddress, OfContract> split, Instant now) {
    var notices = new HashMap<ContractAddress, BlockNotice>();
    split.forEach((contract, part) -> notices.put(contract, part.notice(block.height(), now)));
    var groups = delivered.stream().flatMap(stored -> stored.group().stream()).toList();
    return new BlockFeedCommand.Indexed(
        block.height(), new BlockHeight(block.height().value() - 1), now, notices, groups);
  }

  /** Added to what is stored of it already; as long as it is not, the block is not done. */
  private void store(StoredGroup group, BlockHeight height, String who) {
    services
        .setup()
        .ports()
        .store()
        .putGroup(group)
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                indexer.tell(new LedgerIndexer.Ack(height, who));
              }
            });
  }

  private BlockHeight previousWithStates(
      ContractAddress contract, OfContract part, BlockHeight height) {
    var previous = lastWithStates.getOrDefault(contract, BlockHeight.ZERO);
    if (!part.spent.isEmpty() || !part.created.isEmpty()) {
      lastWithStates.put(contract, height);
    }
    return previous;
  }

  /** Tells senders, state stores and submitters; gives who has to acknowledge. */
  Map<String, Runnable> deliver(Block block, Map<ContractAddress, OfContract> split, Instant now) {
    var open = new HashMap<String, Runnable>();
    split.forEach(
        (contract, part) -> open.putAll(telling(contract, part, part.notice(block.height(), now))));
    own(block)
        .forEach(
            (contract, receipts) ->
                open.put(
                    "submitter-" + contract,
                    () ->
                        services
                            .entities()
                            .submitter(contract)
                            .tell(
                                new SubmitterActor.BlockIndexed(
                                    block.height(), receipts, indexer.narrow()))));
    for (var group : List.copyOf(newGroups)) {
      var who = "group-" + group.id();
      open.put(who, () -> store(group, block.height(), who));
    }
    delivered = List.copyOf(newGroups);
    newGroups.clear();
    open.values().forEach(Runnable::run);
    return open;
  }

  private Map<String, Runnable> telling(
      ContractAddress contract, OfContract part, BlockNotice notice) {
    var previous = previousWithStates(contract, part, notice.height());
    var sender = new SenderActor.BlockIndexed(notice, indexer.narrow());
    var store = new StateStoreActor.BlockIndexed(notice, previous, indexer.narrow());
    return Map.of(
        "sender-" + contract, () -> services.entities().sender(contract).tell(sender),
        "state-store-" + contract, () -> services.entities().stateStore(contract).tell(store));
  }

  /** Receipts of this node's own submissions, by contract. */
  private Map<ContractAddress, List<LedgerReceipt>> own(Block block) {
    var own = new HashMap<ContractAddress, List<LedgerReceipt>>();
    for (var receipt : block.receipts()) {
      services
          .groups()
          .contractOf(receipt.signer())
          .ifPresent(
              contract -> {
                own.computeIfAbsent(contract, c -> new ArrayList<>()).add(receipt);
                countRevert(receipt);
              });
    }
    return own;
  }

  private void countRevert(LedgerReceipt receipt) {
    if (receipt.result() instanceof LedgerReceipt.Reverted reverted) {
      var reason = reverted.reason().name().toLowerCase(Locale.ROOT);
      services.counters().add("sequitur_ledger_reverts_" + reason + "_total", 1);
    }
  }
}

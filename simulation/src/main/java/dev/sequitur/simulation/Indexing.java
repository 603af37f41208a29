package dev.sequitur.simulation;

import dev.sequitur.protocol.errand.NewGroupReceipts;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.indexing.BlockDelivery;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.indexing.Indexer;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.submitter.SubmitterInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A node's {@link Indexer}, with the simulated ledger before it and the node's machines after. */
final class Indexing {
  static final String UNDONE = "indexer UNDONE";
  static final String HALTED = "indexer HALTED";
  static final String RESUMED = "indexer RESUMED";

  private final NodeLife node;
  private final Host<Indexer.Input, Indexer.State, Void, Indexer.Effect> host;
  private BlockHeight height;

  Indexing(NodeLife node, IndexedTo indexedTo) {
    this.node = node;
    this.height = indexedTo.height();
    var machine =
        new Indexer(node.simulation().setup().confirmations(), new AllGroups()).machine(indexedTo);
    this.host = new Host<>(machine, machine.initial());
  }

  BlockHeight height() {
    return height;
  }

  NodeLife node() {
    return node;
  }

  void poll() {
    tell(host.machine().tick());
  }

  private void tell(Indexer.Input input) {
    host.fold(List.of(input), node.now()).effects().forEach(this::perform);
  }

  private void perform(Indexer.Effect effect) {
    switch (effect) {
      case Indexer.Effect.Fetch(var from, var limit) ->
          node.later(NodeLife.WORK, () -> fetch(from, limit));
      case Indexer.Effect.Reached(var reached, var begun, var changed) -> {
        node.reach(new Moment.Indexing(node.name(), node.ledger().block(reached.value())));
        for (var jvm : node.fellows()) {
          begun.forEach(group -> jvm.founding().stands(group.id()));
        }
        changed.forEach(this::follow);
      }
      case Indexer.Effect.Deliver(var delivery) -> node.tell(() -> deliver(delivery));
      case Indexer.Effect.HandOn(var reached, var indexed, var notices, var ignored) -> {
        height = reached;
        var heightOnly = BlockNotice.heightOnly(reached, indexed);
        for (var each : node.entities()) {
          var contract = node.simulation().contractOf(each);
          var notice = notices.getOrDefault(contract, heightOnly);
          boolean drops = node.home().drops(contract, notice);
          handOn(each, notice, drops ? heightOnly : notice);
        }
      }
      case Indexer.Effect.StoreProgress(var upTo) -> node.later(NodeLife.WRITE, () -> store(upTo));
      case Indexer.Effect.CountRevert(var reason) -> node.count("indexer " + reason);
      case Indexer.Effect.Undone ignored -> node.count(UNDONE);
      case Indexer.Effect.Halted ignored -> node.count(HALTED);
      case Indexer.Effect.Resumed ignored -> node.count(RESUMED);
    }
  }

  private void fetch(BlockHeight from, int limit) {
    long head = node.home().head();
    var blocks = new ArrayList<Block>();
    for (long number = from.value(); number <= head && blocks.size() < limit; number++) {
      blocks.add(node.ledger().block(number));
    }
    blocks.forEach(block -> tell(new Indexer.Input.Read(new BlockHeight(head), block)));
    tell(new Indexer.Input.FetchEnded());
  }

  private void follow(PrivacyGroup changed) {
    var selection = node.selection(changed.contract());
    selection.follow(node.simulation().tampering().read(selection.group(), changed));
  }

  private void deliver(BlockDelivery delivery) {
    Runnable acknowledge =
        () ->
            node.tell(() -> tell(new Indexer.Input.Acknowledged(delivery.height(), delivery.to())));
    switch (delivery) {
      case BlockDelivery.ToSender(var contract, var notice) ->
          node.entities(contract).sender().index(notice.forSender(), acknowledge);
      case BlockDelivery.ToStateStore(var contract, var notice, var after) -> {
        if (node.home().drops(contract, notice)) {
          node.home().dropped(contract, notice.height(), after);
          acknowledge.run();
        } else {
          var told = node.home().toldBefore(contract, after);
          node.entities(contract).states().index(notice, told, acknowledge);
        }
      }
      case BlockDelivery.ToSubmitter(var contract, var block, var own) ->
          node.entities(contract)
              .submitter()
              .tell(new SubmitterInput.BlockIndexed(block, own), acknowledge);
      case BlockDelivery.ToPublicSubmitter(var from, var block, var own) ->
          node.publics().tell(new SubmitterInput.BlockIndexed(block, own), acknowledge);
      case BlockDelivery.ToNodeStore begun -> store(begun, acknowledge);
      case BlockDelivery.OfCommittee(var group, var ignored) ->
          node.later(
              NodeLife.WRITE,
              () -> {
                node.requireMayWrite();
                var now = group.orLater(node.group(group.contract()));
                node.disk().committees.put(group.contract(), now);
                acknowledge.run();
              });
    }
  }

  /** As the feed does, for those who are told of blocks by nobody else. */
  private static void handOn(ContractMachines each, BlockNotice notice, BlockNotice forStates) {
    each.endorser().tell(notice.forEndorser());
    each.endorser().askStore();
    each.coordinator().tell(notice.forCoordinator());
    each.states().ask(errands -> errands.blockSeen(forStates));
    if (!notice.concernsContract()) {
      each.sender().index(notice.forSender(), () -> {});
    }
  }

  /** As long as it is not stored, the block is told again. */
  private void store(BlockDelivery.ToNodeStore begun, Runnable acknowledge) {
    var group = begun.group();
    var unused =
        node.groups()
            .putGroup(StoredGroup.of(group.id(), begun.known()).withGroup(Optional.of(group)))
            .thenCompose(
                done ->
                    new NewGroupReceipts(node.surroundings(), node.groups())
                        .made(group, begun.at()))
            .thenRun(() -> node.later(Duration.ZERO, acknowledge));
  }

  private void store(IndexedTo upTo) {
    var before = node.disk().indexedTo.height().value();
    node.requireMayWrite();
    node.disk().indexedTo = upTo;
    node.disk().readSoFar = Optional.of(ReadSoFar.upTo(node.disk().readSoFar, upTo));
    for (long done = before + 1; done <= upTo.height().value(); done++) {
      var block = node.ledger().block(done);
      node.simulation().invariants().onIndexed(node.name(), block, node.disk().receipts);
    }
    tell(new Indexer.Input.Stored(upTo));
  }

  /** Those that callers use were there before the first block; members found others. */
  private final class AllGroups implements Indexer.Groups {
    @Override
    public boolean isKnown(ContractAddress contract) {
      return node.entities(contract) != null;
    }

    @Override
    public Optional<ContractAddress> submitsFor(LedgerAddress signer) {
      return node.entities().stream()
          .filter(each -> each.submitter().address().equals(signer))
          .map(node.simulation()::contractOf)
          .findFirst();
    }

    @Override
    public Optional<Identity> signsPublicly(LedgerAddress signer) {
      return Optional.of(node.publics())
          .filter(publics -> publics.address().equals(signer))
          .map(PublicSubmitterShell::sender);
    }

    @Override
    public Optional<PrivacyGroup> group(ContractAddress contract) {
      return node.group(contract);
    }

    @Override
    public Optional<PrivacyGroup> beginsWith(LedgerReceipt.Deployed deployed) {
      return Optional.of(deployed.group(BaseLedger.LOCAL_CHAIN))
          .filter(group -> group.committee().hasMemberOn(node.name()));
    }
  }
}

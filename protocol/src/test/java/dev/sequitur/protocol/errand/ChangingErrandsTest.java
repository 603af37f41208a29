package dev.sequitur.protocol.errand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.founding.Changing;
import dev.sequitur.protocol.funding.KeyUse;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.ChangeSignatures;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.ChangeStore;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.ChangeStore.Phase;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import dev.sequitur.protocol.transaction.Signature;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Nodes that have a committee changed, with what is between them (AGR-1 to AGR-8). */
final class ChangingErrandsTest {
  private static final Member ALICE = ChangingNode.member("alice@a", 1);
  private static final Member BOB = ChangingNode.member("bob@b", 2);
  private static final Member BOB_ANEW = ChangingNode.member("bob@b", 4);
  private static final Member DAVE = ChangingNode.member("dave@d", 5);
  private static final Quorum GENESIS = new Quorum(new Committee(List.of(ALICE, BOB)), 2, 1);
  private static final CommitteeChange NEW_KEY = change(ALICE, BOB_ANEW);
  private static final CommitteeChange JOINING = change(ALICE, BOB, DAVE);

  private final Map<NodeName, Node> nodes = new LinkedHashMap<>();
  private final List<LedgerTransaction> given = new ArrayList<>();
  private final List<KeyUse> used = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private boolean tellsGenesis = true;
  private long baseFee;
  private Function<TransactionHash, SubmitOutcome> outcome = SubmitOutcome.Pooled::new;

  /** The ledger answers with no block, whatever it has. */
  private boolean showsNothing;

  /** What happens as soon as a node has read a group. */
  private Runnable afterGroup = () -> {};

  private PrivacyGroup group = ChangingNode.group(GENESIS);

  private static CommitteeChange change(Member... members) {
    return new CommitteeChange(
        1, new Quorum(new Committee(List.of(members)), members.length, 1), new BlockHeight(100));
  }

  /** In memory, as the contract of the stores has it. */
  private static final class Store implements ChangeStore {
    private final Map<ContractAddress, AgreedChange> changes = new HashMap<>();

    /** What another JVM does before this one writes. */
    private Runnable before = () -> {};

    @Override
    public CompletionStage<Optional<AgreedChange>> agree(AgreedChange agreed) {
      var known = changes.get(agreed.contract());
      if (known == null || !known.phase().isOpen()) {
        changes.put(agreed.contract(), agreed);
      }
      return agreed(agreed.contract());
    }

    @Override
    public CompletionStage<Optional<AgreedChange>> join(AgreedChange now) {
      before.run();
      changes.computeIfPresent(now.contract(), (contract, before) -> before.joined(now));
      return agreed(now.contract());
    }

    @Override
    public CompletionStage<Optional<AgreedChange>> agreed(ContractAddress contract) {
      return CompletableFuture.completedFuture(Optional.ofNullable(changes.get(contract)));
    }

    @Override
    public CompletionStage<List<AgreedChange>> openChanges() {
      return CompletableFuture.completedFuture(
          changes.values().stream().filter(it -> it.phase().isOpen()).toList());
    }
  }

  /** A node, whose lives share the store. */
  private final class Node implements ChangingErrands.Edge {
    private final NodeName name;
    private final Set<Member> held;
    private boolean member;
    private final Store store = new Store();
    private final List<String> said = new ArrayList<>();
    private final List<String> warned = new ArrayList<>();
    private final List<Phase> recorded = new ArrayList<>();
    private final Set<Hash> signers = new LinkedHashSet<>();
    private final List<Outgoing> lost = new ArrayList<>();
    private final List<PrivacyGroup> entered = new ArrayList<>();
    private int rebuilds;
    private boolean away;
    private boolean signerAway;
    private ChangingErrands errands;

    private Node(String name, boolean member, Member... held) {
      this.name = new NodeName(name);
      this.member = member;
      this.held = Set.of(held);
      nodes.put(this.name, this);
      begin();
    }

    /** Another life. */
    private void begin() {
      errands =
          new ChangingErrands(
              surroundings(),
              ChangingNode.rules(name, held, tellsGenesis),
              new ChangingErrands.Setup(group.chainId(), Gas.DEFAULT, this::signer),
              store,
              this);
    }

    private String signer(Hash change) {
      signers.add(change);
      return "deployer." + change;
    }

    /** As node A is, but for its keys, its height and its ledger. */
    private Surroundings surroundings() {
      var like = new NodeOfA();
      var ledger = newLedger();
      return (Surroundings)
          Proxy.newProxyInstance(
              Surroundings.class.getClassLoader(),
              new Class<?>[] {Surroundings.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "ledger" -> ledger;
                    case "height" -> new BlockHeight(blocks.size());
                    case "keys" -> keys();
                    case "signatures" -> new ChangingNode.ToldSignatures();
                    case "use" -> {
                      used.add((KeyUse) arguments[0]);
                      yield null;
                    }
                    default -> method.invoke(like, arguments);
                  });
    }

    private Keys keys() {
      var keys = new ChangingNode.HeldKeys(held);
      return signerAway
          ? (Keys)
              Proxy.newProxyInstance(
                  Keys.class.getClassLoader(),
                  new Class<?>[] {Keys.class},
                  (proxy, method, arguments) ->
                      method.getName().equals("signed")
                          ? CompletableFuture.failedFuture(
                              new IllegalStateException("The signer is silent."))
                          : method.invoke(keys, arguments))
          : keys;
    }

    @Override
    public CompletionStage<Optional<PrivacyGroup>> group(ContractAddress contract) {
      var found = Optional.of(group).filter(it -> member && contract.equals(it.contract()));
      afterGroup.run();
      return CompletableFuture.completedFuture(found);
    }

    @Override
    public void send(List<Outgoing> messages) {
      for (var each : messages) {
        var to = nodes.get(each.to());
        if (to == null || to.away || away) {
          lost.add(each);
        } else {
          get(to.errands.receive(name, (ChangeSignatures) each.message()));
        }
      }
    }

    @Override
    public CompletionStage<Void> enter(PrivacyGroup shown) {
      member = true;
      entered.add(shown);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Boolean> rebuild(ContractAddress contract) {
      return CompletableFuture.completedFuture(++rebuilds > 1);
    }

    @Override
    public void say(String sentence) {
      said.add(sentence);
    }

    @Override
    public void record(AgreedChange change) {
      recorded.add(change.phase());
    }

    @Override
    public void warnSeldom(String sentence) {
      warned.add(sentence);
    }

    private void agree(CommitteeChange change) {
      get(errands.agree(Contract.ADDRESS, change, "operator of " + name));
    }

    private AgreedChange change() {
      return store.changes.get(Contract.ADDRESS);
    }
  }

  private static <T> T get(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private BaseLedger newLedger() {
    return (BaseLedger)
        Proxy.newProxyInstance(
            BaseLedger.class.getClassLoader(),
            new Class<?>[] {BaseLedger.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "baseFee" -> baseFee;
                  case "tellsGenesis" -> tellsGenesis;
                  case "firstBlock" -> CompletableFuture.completedFuture(new BlockHeight(1));
                  case "blocks" -> {
                    if (showsNothing) {
                      yield CompletableFuture.completedFuture(List.of());
                    }
                    int from = (int) ((BlockHeight) arguments[0]).value() - 1;
                    int to = Math.min(blocks.size(), from + (Integer) arguments[1]);
                    var page = blocks.subList(Math.min(from, to), to);
                    yield CompletableFuture.completedFuture(
                        tellsGenesis ? List.copyOf(page) : onChain(page, arguments));
                  }
                  case "sign" ->
                      new SignedLedgerTransaction(
                          (LedgerTransaction) arguments[0],
                          new TransactionHash(Contract.hash("given")),
                          ALICE.verifier(),
                          Bytes.EMPTY);
                  case "submit" -> {
                    var signed = (SignedLedgerTransaction) ((List<?>) arguments[0]).getFirst();
                    given.add(signed.transaction());
                    yield CompletableFuture.completedFuture(List.of(outcome.apply(signed.hash())));
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  /** A contract is told as one of a group to whoever knows its terms. */
  private static List<Block> onChain(List<Block> page, Object... asked) {
    var told = asked.length > 2 ? Optional.of(((Deploy) asked[2]).hash()) : Optional.empty();
    return page.stream()
        .map(block -> makesUnknown(block, told) ? withoutReceipts(block) : block)
        .toList();
  }

  private static boolean makesUnknown(Block block, Optional<?> told) {
    return block.receipts().stream()
        .flatMap(receipt -> receipt.results().stream())
        .anyMatch(
            it ->
                it instanceof LedgerReceipt.Deployed made
                    && !told.equals(Optional.of(new Deploy(made.domain(), made.genesis()).hash())));
  }

  private static Block withoutReceipts(Block block) {
    return new Block(block.height(), block.hash(), block.parent(), Instant.EPOCH, List.of());
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      nodes.values().stream().filter(node -> !node.away).forEach(node -> get(node.errands.look()));
    }
  }

  private void block(LedgerReceipt.Result... results) {
    var height = new BlockHeight(blocks.size() + 1);
    blocks.add(
        new Block(
            height,
            Contract.hash("block " + height),
            new Hash(0, 0, 0, 0),
            Instant.EPOCH,
            List.of(
                new LedgerReceipt(
                    new TransactionHash(Contract.hash("in " + height)),
                    new LedgerAddress("0x" + "01".repeat(20)),
                    0,
                    height,
                    0,
                    List.of(results)))));
  }

  private void take(CommitteeChange change) {
    block(new LedgerReceipt.CommitteeChanged(Contract.ADDRESS, change));
    group = group.changed(change, new BlockHeight(blocks.size())).orElseThrow();
  }

  private void deployed() {
    block(
        new LedgerReceipt.Deployed(
            Contract.ADDRESS,
            "test",
            new ContractGenesis(
                group.id(),
                group.name(),
                GENESIS.committee(),
                GENESIS.threshold(),
                GENESIS.changeThreshold(),
                Bytes.EMPTY)));
  }

  private static LedgerTransaction.ChangeCommittee call(LedgerTransaction transaction) {
    return (LedgerTransaction.ChangeCommittee) transaction.call();
  }

  /** Bob's old key is lost. */
  private Node alice() {
    return new Node("a", true, ALICE);
  }

  @Test
  void whatTheOperatorsOfEnoughNodesAgreeToIsGivenToTheLedgerAndComesIntoForce() {
    var alice = alice();
    var bob = new Node("b", true, BOB_ANEW);

    alice.agree(NEW_KEY);
    look(3);
    assertThat(alice.change().phase()).isEqualTo(Phase.GATHERING);
    assertThat(given).isEmpty();
    bob.agree(NEW_KEY);
    look(6);

    assertThat(call(given.getFirst()).change()).isEqualTo(NEW_KEY);
    assertThat(call(given.getFirst()).signatures())
        .extracting(Signature::verifier)
        .containsExactlyInAnyOrder(ALICE.verifier(), BOB_ANEW.verifier());
    assertThat(given).as("always the same").allMatch(given.getFirst()::equals);
    take(NEW_KEY);
    look(1);
    assertThat(List.of(alice.change().phase(), bob.change().phase())).containsOnly(Phase.IN_FORCE);
    assertThat(alice.said).anyMatch(it -> it.endsWith("stands on the base ledger"));
    var before = given.size();
    look(20);
    assertThat(given).hasSize(before);
    assertThat(alice.recorded)
        .as("each once: what a block has is told by it")
        .containsExactly(Phase.GATHERING);
  }

  /** The first is in block 1, and ranges have 10 blocks (AGR-7). */
  @Test
  void theNextOneIsSignedAtOnceAndGivenOnceTheOneBeforeHasRunItsCourse() {
    var alice = alice();
    take(NEW_KEY);
    var second =
        new CommitteeChange(
            2, new Quorum(new Committee(List.of(ALICE)), 1, 1), new BlockHeight(100));
    alice.agree(second);
    while (blocks.size() < 18) {
      look(2);
      block();
    }
    look(2);
    assertThat(alice.change().phase()).isEqualTo(Phase.GIVING);
    assertThat(alice.change().note().orElseThrow()).contains("from block 20 on");
    assertThat(alice.said).filteredOn(it -> it.contains("waits")).hasSize(1);
    assertThat(given).isEmpty();

    block();
    look(1);

    assertThat(call(given.getFirst()).change()).isEqualTo(second);
    take(second);
    look(1);
    assertThat(alice.change().phase()).isEqualTo(Phase.IN_FORCE);
    assertThat(alice.change().note()).isEmpty();
  }

  @Test
  void nobodyAgreesBecauseAnotherAsks() {
    var alice = alice();
    var carol = ChangingNode.member("carol@b", 9);
    var bob = new Node("b", true, BOB_ANEW, carol);

    alice.agree(NEW_KEY);
    bob.agree(change(ALICE, BOB_ANEW, carol));
    look(20);

    assertThat(given).isEmpty();
    assertThat(alice.change().signers()).containsExactly(ALICE);
    assertThat(bob.change().signers()).doesNotContain(ALICE);
  }

  @Test
  void aSignatureThatIsNotGenuineIsNotKept() {
    var alice = alice();
    alice.agree(NEW_KEY);
    look(1);
    var forged = new Signature(BOB_ANEW.identity(), BOB_ANEW.verifier(), Bytes.of(new byte[65]));

    get(
        alice.errands.receive(
            new NodeName("b"), new ChangeSignatures(Contract.ADDRESS, NEW_KEY, List.of(forged))));
    look(2);

    assertThat(alice.change().signers()).containsExactly(ALICE);
    assertThat(given).isEmpty();
  }

  @Test
  void whoWasAwayAndBeganAnewGoesOnWithWhatIsStored() {
    var alice = alice();
    var bob = new Node("b", true, BOB_ANEW);
    bob.agree(NEW_KEY);
    alice.agree(NEW_KEY);
    alice.away = true;
    look(3);
    alice.away = false;
    bob.begin();
    alice.begin();

    look(4);

    assertThat(given).isNotEmpty();
  }

  /** Its node may be away for long: the next one gives it. */
  @Test
  void ifTheFirstDoesNotGiveItTheNextOneDoes() {
    var alice = alice();
    var bob = new Node("b", true, BOB_ANEW);
    bob.agree(NEW_KEY);
    alice.agree(NEW_KEY);
    look(1);
    while (bob.change().phase() != Phase.GIVING) {
      get(bob.errands.look());
      get(alice.errands.look());
    }
    given.clear();
    alice.away = true;

    look(4);
    assertThat(given).isEmpty();
    look(4);
    assertThat(given).isNotEmpty();
  }

  private void giveAlone() {
    var quorum = new Quorum(new Committee(List.of(ALICE)), 1, 1);
    alice().agree(new CommitteeChange(1, quorum, new BlockHeight(100)));
    look(3);
    assertThat(given).isNotEmpty();
  }

  /** Where gas costs money, nobody else gives that key any. */
  @Test
  void theKeyThatGivesAChangeGetsWhatItsGasCosts() {
    baseFee = 7;

    giveAlone();

    var first = given.getFirst();
    assertThat(used.getFirst().key()).isEqualTo(first.signer());
    assertThat(used.getFirst().needs()).isEqualTo(first.fees().cost(first.gasLimit()));
    assertThat(used.getFirst().needs()).isPositive();
  }

  /** Else it would be dearer or cheaper each second, which no pool takes for the same nonce. */
  @Test
  void aChangeIsOfferedForTheSameUntilThePoolAsksForMore() {
    baseFee = 7;
    giveAlone();
    baseFee = 9;
    look(1);
    var first = given.getFirst().fees();
    assertThat(given.getLast().fees()).isEqualTo(first);

    var needed = first.toReplace();
    outcome = hash -> new SubmitOutcome.Underpriced(hash, needed);
    look(1);
    outcome = SubmitOutcome.Pooled::new;
    look(1);

    assertThat(given.getLast().fees()).isEqualTo(needed);
  }

  /** AGR-4: what it has given may be in a block or not; whichever it is, no other is taken. */
  @Test
  void whoStopsBeforeTheBlockOfAChangeGivesTheSameByTheSameKeyAgain() {
    baseFee = 7;
    giveAlone();
    var first = given.getFirst();
    var alice = nodes.get(new NodeName("a"));
    given.clear();
    baseFee = 9;

    alice.begin();
    look(2);

    assertThat(given).isNotEmpty();
    assertThat(given)
        .allSatisfy(
            again -> {
              assertThat(again.signer()).isEqualTo(first.signer());
              assertThat(again.nonce()).isEqualTo(first.nonce());
              assertThat(again.call()).isEqualTo(first.call());
            });
    assertThat(alice.signers).hasSize(1);
    given.clear();
    alice.begin();
    take(call(first).change());
    look(2);
    assertThat(alice.change().phase()).isEqualTo(Phase.IN_FORCE);
    assertThat(given).isEmpty();
  }

  /** A block may have refused the first, and has used up the nonce of its key. */
  @Test
  void anotherChangeOfTheSameNumberIsGivenByAnotherKey() {
    var alice = alice();
    var quorum = new Quorum(new Committee(List.of(ALICE)), 1, 1);
    var first = new CommitteeChange(1, quorum, new BlockHeight(1));
    var second = new CommitteeChange(1, quorum, new BlockHeight(100));
    alice.agree(first);
    look(3);
    block();
    block();
    look(1);
    assertThat(alice.change().phase()).isEqualTo(Phase.OVER);

    alice.agree(second);
    look(3);

    assertThat(alice.signers)
        .containsExactly(
            first.digest(group.chainId(), Contract.ADDRESS),
            second.digest(group.chainId(), Contract.ADDRESS));
  }

  /** Else a number that its block has refused waits for ever, and nobody knows. */
  @Test
  void whateverTheLedgerSaysButThatItIsPooledTheOperatorHears() {
    var hash = new TransactionHash(Contract.hash("given"));
    for (var each :
        List.of(
            new SubmitOutcome.NonceTooLow(hash, 1),
            new SubmitOutcome.Underpriced(hash, new Fees(1, 1)),
            new SubmitOutcome.InsufficientFunds(hash),
            new SubmitOutcome.PoolFull(hash),
            new SubmitOutcome.Invalid(hash, "wrongly signed"))) {
      nodes.clear();
      outcome = any -> each;
      giveAlone();
      assertThat(nodes.get(new NodeName("a")).warned).as("" + each).isNotEmpty();
    }
    nodes.clear();
    outcome = SubmitOutcome.Pooled::new;
    giveAlone();
    assertThat(nodes.get(new NodeName("a")).warned).isEmpty();
  }

  /** What is read of the group tells of no block before the height that it is held against. */
  @Test
  void whatIsTakenWhileANodeLooksIsNotOver() {
    var alice = alice();
    alice.agree(NEW_KEY);
    look(1);
    afterGroup =
        () -> {
          afterGroup = () -> {};
          take(NEW_KEY);
          while (blocks.size() <= 100) {
            block();
          }
        };

    look(1);
    assertThat(alice.change().phase()).isEqualTo(Phase.GATHERING);
    look(1);
    assertThat(alice.change().phase()).isEqualTo(Phase.IN_FORCE);
  }

  @Test
  void whoIsNewAsksAgainWhereTheLedgerShowsLessThanItHas() {
    deployed();
    block();
    var dave = new Node("d", false, DAVE);
    dave.agree(JOINING);
    showsNothing = true;

    look(2);
    assertThat(dave.change().phase()).isEqualTo(Phase.READING);
    assertThat(dave.warned).anyMatch(it -> it.contains("block 1"));
    showsNothing = false;
    look(1);
    assertThat(dave.change().phase()).isEqualTo(Phase.SIGNING);
  }

  @Test
  void whatAnotherJvmHasTakenBackIsNotToldAsSigned() {
    var alice = alice();
    alice.agree(NEW_KEY);
    alice.store.before =
        () ->
            alice.store.changes.computeIfPresent(
                Contract.ADDRESS, (contract, now) -> Changing.withdrawn(now).orElse(now));

    look(1);

    assertThat(alice.change().phase()).isEqualTo(Phase.WITHDRAWN);
    assertThat(alice.recorded).isEmpty();
    assertThat(alice.said).noneMatch(it -> it.contains("is signed"));
  }

  @Test
  void whatIsWithdrawnIsSignedAndGatheredNoMoreAndMakesRoomForAnother() {
    var alice = alice();
    alice.agree(NEW_KEY);
    assertThatThrownBy(() -> alice.agree(JOINING))
        .isInstanceOf(RefusedIntent.class)
        .hasMessageContaining("withdraw that one first");

    get(alice.errands.withdraw(Contract.ADDRESS));
    look(3);

    assertThat(alice.change().phase()).isEqualTo(Phase.WITHDRAWN);
    assertThat(alice.change().signatures()).isEmpty();
    assertThat(get(alice.errands.withdraw(new ContractAddress("0x" + "77".repeat(20))))).isEmpty();
    alice.agree(NEW_KEY);
    assertThat(alice.change().phase()).isEqualTo(Phase.SIGNING);
  }

  @Test
  void whileItsSignerIsAwayANodeTriesAgainAndSaysSo() {
    var alice = alice();
    alice.signerAway = true;
    alice.agree(NEW_KEY);

    look(2);
    assertThat(alice.change().phase()).isEqualTo(Phase.SIGNING);
    assertThat(alice.warned).anyMatch(it -> it.contains("The signer is silent."));
    alice.signerAway = false;
    look(1);

    assertThat(alice.change().phase()).isEqualTo(Phase.GATHERING);
  }

  @Test
  void whoIsNewReadsTheGroupOnTheLedgerAndSigns() {
    block();
    deployed();
    block();
    var alice = alice();
    var dave = new Node("d", false, DAVE);

    dave.agree(JOINING);
    alice.agree(JOINING);
    look(6);

    assertThat(dave.change().read().map(PrivacyGroup::committee)).contains(GENESIS.committee());
    assertThat(dave.change().signers()).contains(DAVE, ALICE);
    assertThat(given).isNotEmpty();
    take(JOINING);
    dave.member = true;
    look(2);
    assertThat(dave.change().phase()).isEqualTo(Phase.JOINING);
    assertThat(alice.change().phase()).isEqualTo(Phase.IN_FORCE);
    look(1);
    assertThat(dave.change().phase()).isEqualTo(Phase.IN_FORCE);
  }

  /** Its node store is gone, and the change's last block has passed long ago (AGR-6). */
  @Test
  void aNewMemberThatHasLostItsRecordsComesBackByAgreeingAgain() {
    deployed();
    take(JOINING);
    while (blocks.size() < 120) {
      block();
    }
    var dave = new Node("d", false, DAVE);

    dave.agree(JOINING);
    look(2);
    assertThat(dave.change().phase()).isEqualTo(Phase.JOINING);
    assertThat(dave.entered).containsExactly(group);
    take(new CommitteeChange(2, change(ALICE, BOB_ANEW, DAVE).quorum(), new BlockHeight(500)));
    look(2);

    assertThat(dave.change().phase()).isEqualTo(Phase.IN_FORCE);
    assertThat(dave.entered.getLast()).as("what came while it read").isEqualTo(group);
    assertThat(given).isEmpty();
    assertThat(dave.recorded).as("it has signed nothing").isEmpty();
    assertThat(dave.said).anyMatch(it -> it.contains("the group is read there once more"));
  }

  @Test
  void whoIsLetInByABlockReadsTheGroupOnce() {
    deployed();
    var dave = new Node("d", false, DAVE);
    dave.agree(JOINING);
    look(2);
    take(JOINING);
    dave.member = true;

    look(3);

    assertThat(dave.change().phase()).isEqualTo(Phase.IN_FORCE);
    assertThat(dave.entered).isEmpty();
  }

  @Test
  void whoIsToBeInAGroupThatIsNoneIsToldSo() {
    block();
    var dave = new Node("d", false, DAVE);
    dave.agree(JOINING);

    look(1);

    assertThat(dave.change().phase()).isEqualTo(Phase.OVER);
    assertThat(dave.recorded).containsExactly(Phase.OVER);
    assertThat(dave.said).anyMatch(it -> it.contains("has no group of this contract"));
  }

  private Node daveOnAChain() {
    tellsGenesis = false;
    var dave = new Node("d", false, DAVE);
    dave.agree(JOINING);
    look(2);
    assertThat(dave.change().phase()).as("it knows nothing yet").isEqualTo(Phase.READING);
    return dave;
  }

  private void tell(Node to, String from, Deploy terms) {
    get(
        to.errands.receive(
            new NodeName(from),
            new ChangeSignatures(Contract.ADDRESS, JOINING, List.of(), Optional.of(terms))));
  }

  /** A chain has a hash of what a group begins with (AGR-9). */
  @Test
  void whereTheLedgerHasOnlyAHashWhoIsNewIsToldByWhoeverHasAgreedToo() {
    tellsGenesis = false;
    deployed();
    var dave = daveOnAChain();
    assertThat(dave.warned).isEmpty();
    var alice = alice();

    alice.agree(JOINING);
    look(6);

    assertThat(dave.change().read()).contains(group);
    assertThat(dave.change().signers()).contains(DAVE, ALICE);
    assertThat(given).as("by who knows the places of before").isNotEmpty();
    assertThat(nodes.get(new NodeName("d")).signers).isEmpty();
    take(JOINING);
    dave.member = true;
    look(3);
    assertThat(dave.change().phase()).isEqualTo(Phase.IN_FORCE);
  }

  /** Those that have the change already tell it once more. */
  @Test
  void onAChainToAMemberThatHasLostItsRecordsTheOthersTellItAgain() {
    tellsGenesis = false;
    deployed();
    var alice = alice();
    alice.agree(JOINING);
    take(JOINING);
    look(2);
    assertThat(alice.change().phase()).isEqualTo(Phase.IN_FORCE);
    var dave = new Node("d", false, DAVE);

    dave.agree(JOINING);
    look(5);

    assertThat(dave.entered).contains(group);
    assertThat(dave.change().phase()).isEqualTo(Phase.IN_FORCE);
  }

  @Test
  void whatTheHashOnTheLedgerIsNotOfIsForgottenAndAskedForAgain() {
    tellsGenesis = false;
    deployed();
    var dave = daveOnAChain();
    var right = Deploy.of(group);
    var genesis = right.genesis();
    var wrong =
        new ContractGenesis(
            genesis.group(), "another", genesis.committee(), 1, 1, genesis.configuration());

    tell(dave, "b", new Deploy("test", wrong));
    look(1);

    assertThat(dave.change().phase()).isEqualTo(Phase.READING);
    assertThat(dave.change().told()).isEmpty();
    assertThat(dave.said).anyMatch(it -> it.contains("began as node b says"));
    tell(dave, "a", right);
    look(1);
    assertThat(dave.change().phase()).isEqualTo(Phase.SIGNING);
  }

  @Test
  void whatAStrangerSaysOfAGroupAndWhatIsTooLargeIsRefusedWithASentence() {
    tellsGenesis = false;
    deployed();
    var dave = daveOnAChain();
    var genesis = Deploy.of(group).genesis();
    var large =
        new ContractGenesis(
            genesis.group(),
            genesis.name(),
            genesis.committee(),
            2,
            1,
            Bytes.of(new byte[Changing.MOST_CONFIGURATION + 1]));

    tell(dave, "c", Deploy.of(group));
    tell(dave, "a", new Deploy("test", large));

    assertThat(dave.change().told()).isEmpty();
    assertThat(dave.warned)
        .anyMatch(it -> it.contains("What node c says") && it.contains("no member after"))
        .anyMatch(it -> it.contains("What node a says") && it.contains("262145 bytes"));
  }

  @Test
  void whoIsNotInTheChangeOrHasAgreedToAnotherOneIsToldNothing() {
    tellsGenesis = false;
    var alice = alice();
    alice.agree(JOINING);
    look(2);
    alice.lost.clear();

    get(
        alice.errands.receive(
            new NodeName("c"), new ChangeSignatures(Contract.ADDRESS, JOINING, List.of())));
    get(
        alice.errands.receive(
            new NodeName("d"), new ChangeSignatures(Contract.ADDRESS, NEW_KEY, List.of())));
    assertThat(alice.lost).isEmpty();

    get(
        alice.errands.receive(
            new NodeName("d"), new ChangeSignatures(Contract.ADDRESS, JOINING, List.of())));
    assertThat(alice.lost)
        .extracting(Outgoing::to)
        .as("the other, and what it asked for")
        .containsOnly(new NodeName("d"));
    assertThat(alice.lost)
        .extracting(it -> ((ChangeSignatures) it.message()).terms())
        .contains(Optional.of(Deploy.of(group)));
  }

  /** Anybody may call the factory with the same terms (SEL-6). */
  @Test
  void aContractThatWasMadeAfterAnotherOneOnTheSameTermsIsNotTheGroups() {
    tellsGenesis = false;
    var terms = Deploy.of(group);
    block(
        new LedgerReceipt.Deployed(
            new ContractAddress("0x" + "77".repeat(20)), terms.domain(), terms.genesis()));
    deployed();
    var dave = daveOnAChain();

    tell(dave, "a", terms);
    look(1);

    assertThat(dave.change().phase()).isEqualTo(Phase.READING);
    assertThat(dave.said).anyMatch(it -> it.contains("no contract " + Contract.ADDRESS));
  }

  @Test
  void whatStandsAlreadyIsReadWithTheGroup() {
    deployed();
    take(NEW_KEY);
    var next = new CommitteeChange(2, change(ALICE, BOB_ANEW, DAVE).quorum(), new BlockHeight(90));
    var dave = new Node("d", false, DAVE);

    dave.agree(next);
    look(1);

    assertThat(dave.change().phase()).isEqualTo(Phase.SIGNING);
    assertThat(dave.change().read().orElseThrow().committees().number()).isEqualTo(1);
  }
}

package dev.sequitur.ethereum;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.ledger.EmbeddedLedger;
import dev.sequitur.ledger.LedgerRuntime;
import dev.sequitur.ledger.LedgerSettings;
import dev.sequitur.ledger.LedgerStorage;
import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.fixture.SteadySeed;
import dev.sequitur.protocol.group.ChangeFlaw;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.CommitteeStanding;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
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
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.ChangeRefused;
import dev.sequitur.protocol.ledger.LedgerReceipt.CommitteeChanged;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.Call;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.KnownGroups;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A committee changes on a chain as it does on the embedded ledger (CMT-3, CMT-4): both are given
 * the same changes and transitions in the same blocks, and each has the same end on both.
 */
class CommitteeChangesOnChainTest {
  private static final String PAYER = "payer";
  private static final Fees PRICE = Fees.flat(2_000_000_000);
  private static final int PARTIES = 6;
  private static final Predicate<String> CHANGED = end -> end.startsWith("changed ");
  private static final Set<String> FLAWS =
      Arrays.stream(ChangeFlaw.values()).map(Enum::name).collect(Collectors.toSet());
  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();

  @TempDir private Path directory;
  private FileKeys keys;
  private Anvil chain;
  private LedgerAddress factory;
  private EthereumLedger onChain;
  private EmbeddedLedger embedded;
  private ScheduledExecutorService scheduler;
  private final Map<Member, String> names = new HashMap<>();
  private final List<Member> members = new ArrayList<>();

  /** Of each ledger. */
  private final Map<BaseLedger, PrivacyGroup> groups = new HashMap<>();

  private long nonce;
  private final long seed = SteadySeed.ofRun();
  private final SplittableRandom random = new SplittableRandom(seed);

  @BeforeEach
  void start() throws IOException {
    keys = FileKeys.open(directory);
    for (int party = 0; party < PARTIES; party++) {
      for (int key = 0; key < 2; key++) {
        var name = "party" + party + "-" + key;
        var member = new Member(Identity.parse("party" + party + "@node"), keys.verifier(name));
        names.put(member, name);
        members.add(member);
      }
    }
    chain = Anvil.startWithHistory();
    chain.fund(payer().value());
    factory = new LedgerAddress(ChainGroup.factory(chain));
    onChain =
        new EthereumLedger(
            new ChainRpc(List.of(chain.address()), ForkJoinPool.commonPool()),
            new EthereumLedger.Settings(BaseLedger.LOCAL_CHAIN, factory, Head.LATEST),
            SIGNATURES,
            new Known());
    scheduler = Executors.newSingleThreadScheduledExecutor();
    embedded =
        EmbeddedLedger.open(
            LedgerStorage.inMemory(),
            LedgerSettings.DEFAULT,
            new LedgerRuntime(SIGNATURES, InstantSource.system(), scheduler, Runnable::run));
    while (await(embedded.head()).value() < await(onChain.head()).value()) {
      embedded.cutBlock();
    }
  }

  @AfterEach
  void stop() {
    if (embedded != null) {
      embedded.close();
      scheduler.shutdownNow();
    }
    if (chain != null) {
      chain.close();
    }
  }

  private Deploy deploy;

  private void makeGroup(Quorum quorum) {
    deploy =
        new Deploy(
            "test",
            new ContractGenesis(
                new GroupId(hash()),
                "group",
                quorum.committee(),
                quorum.threshold(),
                quorum.changeThreshold(),
                Bytes.EMPTY));
    blocks(List.of(each -> deploy))
        .forEach(
            (ledger, receipts) ->
                groups.put(
                    ledger,
                    ((Deployed) receipts.getFirst().results().getFirst())
                        .group(BaseLedger.LOCAL_CHAIN)));
  }

  /** The node takes part in the only group that there is. */
  private final class Known implements KnownGroups {
    @Override
    public Optional<PrivacyGroup> group(ContractAddress contract) {
      return Optional.ofNullable(groups.get(onChain)).filter(it -> it.contract().equals(contract));
    }

    @Override
    public CompletionStage<Optional<Deploy>> genesis(Hash hash) {
      return completedFuture(Optional.of(deploy).filter(it -> it.hash().equals(hash)));
    }

    @Override
    public CompletionStage<Set<LedgerAddress>> publicSigners() {
      return completedFuture(Set.of());
    }
  }

  /** Who was never in the group has its terms from others, and reads the rest here (AGR-9). */
  @Test
  void whoIsToldWhatAGroupBeganWithReadsItOnTheChainAndNobodyReadsAnythingElse() {
    makeGroup(new Quorum(new Committee(List.of(members.get(0), members.get(2))), 2, 1));
    var reader =
        new EthereumLedger(
            new ChainRpc(List.of(chain.address()), ForkJoinPool.commonPool()),
            new EthereumLedger.Settings(BaseLedger.LOCAL_CHAIN, factory, Head.LATEST),
            SIGNATURES,
            KnownGroups.NONE);
    var head = await(reader.head());
    var genesis = deploy.genesis();
    var another =
        new ContractGenesis(
            genesis.group(),
            genesis.name(),
            genesis.committee(),
            genesis.endorsementThreshold(),
            genesis.changeThreshold(),
            Bytes.utf8("another configuration"));

    assertThat(made(await(reader.blocks(head, 1, deploy))))
        .containsExactly(
            new Deployed(groups.get(onChain).contract(), deploy.domain(), deploy.genesis()));
    assertThat(made(await(reader.blocks(head, 1, new Deploy("test", another))))).isEmpty();
    assertThat(made(await(reader.blocks(head, 1)))).isEmpty();
  }

  private static List<LedgerReceipt.Result> made(List<Block> blocks) {
    return blocks.stream()
        .flatMap(block -> block.receipts().stream())
        .flatMap(receipt -> receipt.results().stream())
        .filter(Deployed.class::isInstance)
        .toList();
  }

  // Both ledgers

  /** A call on each ledger, whose group has an address of its own. */
  private interface Made extends Function<PrivacyGroup, Call> {}

  /** One block on each ledger, with these calls. */
  private Map<BaseLedger, List<LedgerReceipt>> blocks(List<Made> calls) {
    var receipts = new HashMap<BaseLedger, List<LedgerReceipt>>();
    long first = nonce;
    for (var ledger : List.of(onChain, embedded)) {
      nonce = first;
      var signed = calls.stream().map(call -> signed(ledger, call)).toList();
      await(ledger.submit(signed));
      if (ledger == embedded) {
        embedded.cutBlock();
      } else {
        chain.mine();
      }
      receipts.put(ledger, signed.stream().map(one -> receipt(ledger, one)).toList());
    }
    assertThat(await(embedded.head())).as("both are as high").isEqualTo(await(onChain.head()));
    return receipts;
  }

  private SignedLedgerTransaction signed(BaseLedger ledger, Made made) {
    var call = made.apply(groups.get(ledger));
    var gas =
        call instanceof ChangeCommittee change
            ? Gas.DEFAULT.limit(change, standing().newest().committee().members().size())
            : Gas.DEFAULT.limit(call);
    var transaction = new LedgerTransaction(payer(), nonce++, PRICE, gas, call);
    return ledger.sign(transaction, keys.signer(PAYER));
  }

  /** What each party can read of a change is what was sent. */
  private LedgerReceipt receipt(BaseLedger ledger, SignedLedgerTransaction sent) {
    var receipt = await(ledger.receipt(sent.hash())).orElseThrow();
    var call = sent.transaction().call();
    if (call instanceof ChangeCommittee change) {
      var read = (ChangeCommittee) await(ledger.transaction(sent.hash())).orElseThrow().call();
      assertThat(read.change()).isEqualTo(change.change());
      assertThat(read.signatures()).containsExactlyInAnyOrderElementsOf(change.signatures());
    }
    return receipt;
  }

  private LedgerAddress payer() {
    return SIGNATURES.address(keys.verifier(PAYER));
  }

  private long head() {
    return await(embedded.head()).value();
  }

  private static <T> T await(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }

  private Hash hash() {
    return new Hash(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
  }

  private CommitteeStanding standing() {
    return groups.get(embedded).committees().standing();
  }

  // What is done

  private Made change(CommitteeChange change, List<Member> signers, List<Member> forgers) {
    return group -> {
      var digest = change.digest(BaseLedger.LOCAL_CHAIN, group.contract());
      var signatures = new ArrayList<Signature>();
      signers.forEach(it -> signatures.add(sign(it, digest)));
      forgers.forEach(it -> signatures.add(sign(it, new Hash(1, 2, 3, 4))));
      return new ChangeCommittee(group.contract(), change, signatures);
    };
  }

  private Signature sign(Member member, Hash digest) {
    return new Signature(
        member.identity(), member.verifier(), keys.sign(names.get(member), digest));
  }

  /** Makes a state that nobody else makes. */
  private Made mint(List<Member> endorsers) {
    var intent =
        new IntentKey(
            new TransactionId(new UUID(random.nextLong(), random.nextLong())),
            new SenderCommitment(hash()));
    var outputs = List.of(new StateId(hash()));
    return group -> {
      var leaf = Attestation.transition(intent, List.of(), List.of(), outputs);
      var tree = MerkleTree.of(List.of(leaf));
      var digest =
          new Attestation(Purpose.ENDORSEMENT, BaseLedger.LOCAL_CHAIN, group.contract())
              .digest(tree);
      return Invoke.of(
          new PreparedTransaction(
              intent,
              group.contract(),
              List.of(),
              List.of(),
              outputs,
              new Proof(tree.path(0), endorsers.stream().map(it -> sign(it, digest)).toList())));
    };
  }

  /**
   * The ends of calls in one block, the same on both ledgers; the changes that it has count. Why
   * one of several changes in a block was refused, a chain does not keep: it is asked what it would
   * say after the block.
   */
  private List<String> ends(Made... calls) {
    var receipts = blocks(List.of(calls));
    var ends =
        receipts.entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    each ->
                        each.getValue().stream().map(CommitteeChangesOnChainTest::end).toList()));
    var changes = ends.get(embedded).stream().filter(FLAWS::contains).count();
    boolean isExact = changes <= 1 && ends.get(embedded).stream().noneMatch(CHANGED);
    assertThat(comparable(ends.get(onChain), isExact || changes == 0))
        .as("seed %d", seed)
        .isEqualTo(comparable(ends.get(embedded), isExact || changes == 0));
    receipts.forEach(
        (ledger, all) ->
            all.forEach(
                receipt -> {
                  if (receipt.results().getFirst() instanceof CommitteeChanged changed) {
                    groups.computeIfPresent(
                        ledger,
                        (same, group) ->
                            group.changed(changed.change(), receipt.block()).orElseThrow());
                  }
                }));
    return ends.get(embedded);
  }

  private static List<String> comparable(List<String> ends, boolean isExact) {
    return isExact
        ? ends
        : ends.stream().map(end -> FLAWS.contains(end) ? "refused" : end).toList();
  }

  private static String end(LedgerReceipt receipt) {
    return switch (receipt.results().getFirst()) {
      case CommitteeChanged changed -> "changed " + changed.change().number();
      case ChangeRefused refused -> refused.flaw().name();
      case Fulfilled ignored -> "fulfilled";
      case Reverted reverted -> reverted.reason().name();
      default -> throw new IllegalStateException("" + receipt);
    };
  }

  private Member party(int party, int key) {
    return members.get(2 * party + key);
  }

  private static Quorum quorum(int threshold, int changeThreshold, Member... members) {
    return new Quorum(new Committee(List.of(members)), threshold, changeThreshold);
  }

  private CommitteeChange next(long until, Quorum quorum) {
    return new CommitteeChange(standing().number() + 1, quorum, new BlockHeight(until));
  }

  @Test
  void aLostKeyIsReplacedAndWhatIsOnItsWayGoesOnUntilTheBlockThatTheChangeNames() {
    var alice = party(0, 0);
    var bob = party(1, 0);
    var carol = party(2, 0);
    var carolLater = party(2, 1);
    makeGroup(quorum(3, 2, alice, bob, carol));
    var change = next(head() + 3, quorum(3, 2, alice, bob, carolLater));

    assertThat(ends(change(change, List.of(alice, bob), List.of(carolLater))))
        .containsExactly("NEW_KEY_UNSIGNED");
    assertThat(
            ends(
                change(change, List.of(alice, bob, carolLater), List.of()),
                mint(List.of(alice, bob, carol)),
                mint(List.of(alice, bob, carolLater)),
                change(next(90, quorum(1, 1, alice)), List.of(alice, bob), List.of())))
        .containsExactly("changed 1", "fulfilled", "ENDORSEMENT_INVALID", "NUMBER_NOT_NEXT");
    assertThat(ends(mint(List.of(alice, bob, carol)), mint(List.of(alice, bob, carolLater))))
        .containsExactly("fulfilled", "fulfilled");
    assertThat(ends(mint(List.of(alice, bob, carol)), mint(List.of(alice, bob))))
        .containsExactly("COMMITTEE_CHANGED", "ENDORSEMENT_INVALID");
  }

  /** Who has endorsed is found in a call by places, which have moved. */
  @Test
  void whatWasSignedBeforeACommitteeChangedIsToBeSignedAgainAndIsNotInvalid() {
    var all =
        IntStream.range(0, PARTIES)
            .mapToObj(each -> party(each, 0))
            .sorted(Comparator.comparing(it -> SIGNATURES.address(it.verifier()).value()))
            .toList();
    var last = all.subList(PARTIES - 2, PARTIES);
    makeGroup(new Quorum(new Committee(last), 2));
    var signed = List.of(signed(onChain, mint(last)));
    var change = next(1_000, new Quorum(new Committee(all), 2));

    groups.computeIfPresent(
        onChain, (same, group) -> group.changed(change, await(onChain.head())).orElseThrow());

    assertThat(await(onChain.submit(signed)))
        .containsExactly(new SubmitOutcome.PoolFull(signed.getFirst().hash()));
  }

  @Test
  void changesAndWhatIsEndorsedBesideThemEndOnBothLedgersAlike() {
    var seen = new TreeMap<String, Integer>();
    for (int group = 0; group < 8; group++) {
      makeGroup(random(List.of()));
      for (int block = 0; block < 14; block++) {
        var calls = IntStream.rangeClosed(0, random.nextInt(3)).mapToObj(i -> any()).toList();
        ends(calls.toArray(Made[]::new)).forEach(end -> seen.merge(end, 1, Integer::sum));
      }
    }
    var each = new ArrayList<String>(List.of("fulfilled"));
    for (var flaw : ChangeFlaw.values()) {
      if (flaw != ChangeFlaw.CONTRACT_UNKNOWN
          && flaw != ChangeFlaw.TOO_MANY_MEMBERS
          && flaw != ChangeFlaw.NOBODY_STAYS) {
        each.add(flaw.name());
      }
    }
    each.add(RevertReason.COMMITTEE_CHANGED.name());
    each.add(RevertReason.ENDORSEMENT_INVALID.name());
    assertThat(seen).as("seed %d", seed).containsKeys(each.toArray(String[]::new));
    assertThat(seen).as("seed %d", seed).containsKeys("changed 1", "changed 2");
  }

  private Made any() {
    if (random.nextInt(5) < 3) {
      return mint(endorsers());
    }
    var quorum = random(standing().newest().committee().members());
    var number = standing().number() + (random.nextInt(8) == 0 ? 2 : 1);
    var until = new BlockHeight(head() + random.nextInt(5));
    var change = new CommitteeChange(number, quorum, until);
    var before = standing().newest();
    var signers = some(before.committee().members(), before.changeThreshold());
    var fresh = new ArrayList<>(change.newcomers(before.committee()));
    var forgers = new ArrayList<Member>();
    if (!fresh.isEmpty() && random.nextInt(6) == 0) {
      var lacking = fresh.removeFirst();
      if (random.nextBoolean()) {
        forgers.add(lacking);
      }
    }
    signers.addAll(fresh);
    Collections.shuffle(signers, new java.util.Random(random.nextLong()));
    return change(change, signers, forgers);
  }

  /** Mostly as many as must. */
  private List<Member> some(List<Member> of, int threshold) {
    var all = new ArrayList<>(of);
    Collections.shuffle(all, new java.util.Random(random.nextLong()));
    int least = random.nextInt(6) == 0 ? threshold - 1 : threshold;
    return new ArrayList<>(
        all.subList(0, Math.min(all.size(), least + random.nextInt(all.size() - least + 1))));
  }

  private List<Member> endorsers() {
    var quorums = groups.get(embedded).committees().all();
    var quorum = quorums.get(Math.max(0, quorums.size() - 1 - random.nextInt(3)));
    return some(quorum.committee().members(), quorum.threshold());
  }

  /** A quorum in which one stays of those before. */
  private Quorum random(List<Member> before) {
    var chosen = new TreeMap<String, Member>();
    if (!before.isEmpty()) {
      var stays = before.get(random.nextInt(before.size()));
      chosen.put(stays.identity().toString(), stays);
    }
    for (int i = 0; i <= random.nextInt(PARTIES); i++) {
      var one = party(random.nextInt(PARTIES), random.nextInt(2));
      chosen.putIfAbsent(one.identity().toString(), one);
    }
    var all = new ArrayList<>(chosen.values());
    Collections.shuffle(all, new java.util.Random(random.nextLong()));
    if (!before.isEmpty() && all.size() > 1 && random.nextInt(8) == 0) {
      var twice = new Member(all.get(0).identity(), all.get(1).verifier());
      names.put(twice, names.get(all.get(1)));
      all.set(0, twice);
    }
    return new Quorum(
        new Committee(all), 1 + random.nextInt(all.size()), 1 + random.nextInt(all.size()));
  }
}

package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.founding.FoundingEffect.Outcome;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import dev.sequitur.protocol.transaction.NewGroup;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * A node that makes groups with others: its rules, and around them a node store and a base ledger
 * that do what a test wants. What it sends is seen, and a test says what the others answer.
 */
final class FoundingNode {
  static final NodeName SELF = new NodeName("node1");
  static final NodeName SECOND = new NodeName("node2");
  static final NodeName THIRD = new NodeName("node3");
  static final Gas GAS = Gas.DEFAULT;
  static final Bytes NO_KEY = Bytes.hex("0x02" + "00".repeat(32));
  static final LedgerAddress SIGNER = new LedgerAddress("0x" + "01".repeat(20));
  static final RuntimeException AWAY = new IllegalStateException("Gone.");

  /** A configuration that the domain fails over. */
  static final Bytes FAILING = Bytes.utf8("{\"fails\":true}");

  /** One for which nobody can tell how many must endorse. */
  static final Bytes UNCOUNTED = Bytes.utf8("{\"counts\":false}");

  final Map<GroupId, StoredGroup> store = new LinkedHashMap<>();
  final Map<TransactionId, String> failures = new LinkedHashMap<>();
  final List<NewGroup> accepted = new ArrayList<>();
  final List<Outgoing> sent = new ArrayList<>();
  final List<FoundingEffect.Submit> submitted = new ArrayList<>();
  final List<FoundingEffect.UseGas> used = new ArrayList<>();
  final List<String> warnings = new ArrayList<>();
  final List<StoredGroup> withdrawn = new ArrayList<>();
  final Map<Long, Outcome> outcomes = new HashMap<>();
  final Map<TransactionHash, LedgerReceipt.Result> blocks = new HashMap<>();
  final Set<GroupId> standing = new HashSet<>();

  /** Of keys that are not held any more, by name. */
  final Map<String, Keys.Standing> standings = new HashMap<>();

  /** What is asked of the node store or the base ledger and is to be answered later. */
  final List<FoundingEffect> held = new ArrayList<>();

  Instant now = Instant.ofEpochSecond(1_700_000_000);
  long nonce;
  long baseFee;
  boolean moneyComes;
  int failingReads;
  int failingFinds;
  int failingWrites;
  Function<FoundingEffect.Submit, Optional<SubmitOutcome>> ledger =
      submit -> Optional.of(new SubmitOutcome.Pooled(hash(submit)));
  boolean holds;

  private Host<FoundingInput, FoundingState, Void, FoundingEffect> host;
  private final ArrayDeque<FoundingInput> inbox = new ArrayDeque<>();
  private boolean busy;
  private int lives;
  private long calls;
  private long ids;

  FoundingNode() {
    restart();
  }

  /** What it had asked before is answered to nobody. */
  void restart() {
    held.clear();
    inbox.clear();
    var rules =
        new GroupRules(
            SELF,
            Map.of("record", domain()),
            () -> Set.of(SECOND, THIRD),
            this::isTaken,
            new OwnKeys());
    var machine =
        new Founding(
                new FoundingSetup(
                    "life" + ++lives + "-",
                    rules,
                    GAS,
                    verifier -> !verifier.publicKey().equals(NO_KEY),
                    (configuration, committee) ->
                        new Quorum(committee, threshold(configuration, committee))))
            .machine();
    host = new Host<>(machine, machine.initial());
  }

  /** Those of this node's identities: one each, which may be taken back or lost. */
  private final class OwnKeys implements Keys {
    @Override
    public Verifier verifier(String name) {
      return key(new Identity(name, SELF));
    }

    @Override
    public Standing standing(String name, Verifier key) {
      return standings.getOrDefault(name, Keys.super.standing(name, key));
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      throw new UnsupportedOperationException("Groups are made without signatures.");
    }
  }

  /** As a start does, or who takes over from a JVM that is gone. */
  void takeUp() {
    for (var group : List.copyOf(store.values())) {
      if (group.genesisTransaction().isPresent() && group.group().isEmpty()) {
        tell(new FoundingInput.TakenUp(group, group.genesisTransaction().map(failures::get)));
      }
    }
    tell(new FoundingInput.Accepted());
  }

  private boolean isTaken(Identity identity) {
    return identity.name().startsWith("deployer.");
  }

  private static Domain domain() {
    return (Domain)
        Proxy.newProxyInstance(
            Domain.class.getClassLoader(),
            new Class<?>[] {Domain.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("checkConfiguration")) {
                if (arguments[0].equals(FAILING)) {
                  throw AWAY;
                }
                return arguments[0].equals(Bytes.utf8("{}")) || arguments[0].equals(UNCOUNTED)
                    ? Optional.empty()
                    : Optional.of("The configuration is an empty object.");
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  private static int threshold(Bytes configuration, Committee committee) {
    if (configuration.equals(UNCOUNTED)) {
      throw AWAY;
    }
    return committee.members().size();
  }

  static Verifier key(Identity identity) {
    byte[] key = new byte[33];
    key[0] = 2;
    System.arraycopy(
        new CanonicalDigest().add(identity.toString()).finish().toByteArray(), 0, key, 1, 32);
    return new Verifier(Bytes.of(key));
  }

  static TransactionHash hash(FoundingEffect.Submit submit) {
    return new TransactionHash(
        new CanonicalDigest()
            .add(submit.deployment().genesis().group().value())
            .add(submit.fees().max())
            .finish());
  }

  FoundingState state() {
    return host.state();
  }

  GroupRequest request(String... members) {
    return request(Bytes.utf8("{}"), members);
  }

  GroupRequest request(Bytes configuration, String... members) {
    return new GroupRequest(
        "record",
        "traders",
        List.of(members).stream().map(Identity::parse).toList(),
        configuration,
        Bytes.utf8("{\"name\":\"traders\"}"));
  }

  private TransactionId freshId() {
    return new TransactionId(new UUID(7, ++ids));
  }

  /** A caller wants a group. */
  long make(String... members) {
    return make(request(members));
  }

  long make(GroupRequest request) {
    long call = ++calls;
    tell(new FoundingInput.Make(call, request, freshId()));
    return call;
  }

  long resolve(String identity) {
    long call = ++calls;
    tell(new FoundingInput.Resolve(call, Identity.parse(identity)));
    return call;
  }

  long reserve(long more) {
    long call = ++calls;
    tell(new FoundingInput.Reserve(call, more));
    return call;
  }

  /** A transaction that makes a group is accepted; nobody is told of it yet. */
  NewGroup accept(String... members) {
    return accept(request(members));
  }

  NewGroup accept(GroupRequest request) {
    var asked = new NewGroup(freshId(), Identity.parse("alice@node1"), Bytes.utf8("{}"), request);
    accepted.add(asked);
    return asked;
  }

  NewGroup acceptAndTell(String... members) {
    var asked = accept(members);
    tell(new FoundingInput.Accepted());
    return asked;
  }

  static GroupId idOf(NewGroup asked) {
    return GroupRules.idOf(asked.request(), asked.id());
  }

  Optional<String> waitsFor(NewGroup asked) {
    return Founding.waitsFor(state(), asked.id());
  }

  Outcome.Refused refused(long call) {
    return (Outcome.Refused) outcomes.get(call);
  }

  /** Whether a caller was told that its group is on its way. */
  boolean hasBegun(long call) {
    return outcomes.get(call) instanceof Outcome.Begun;
  }

  void tell(FoundingInput input) {
    inbox.add(input);
    if (busy) {
      return;
    }
    busy = true;
    while (!inbox.isEmpty()) {
      var folded = host.fold(List.of(inbox.poll()), now);
      sent.addAll(folded.messages());
      folded.effects().forEach(this::perform);
    }
    busy = false;
  }

  /** Lets time pass, and the machine look at it each half a second. */
  void pass(Duration time) {
    var end = now.plus(time);
    while (now.isBefore(end)) {
      var next = now.plus(Questions.RESEND);
      now = next.isBefore(end) ? next : end;
      tell(new FoundingInput.Standing(Set.copyOf(standing)));
      tell(new FoundingInput.Tick());
    }
  }

  private void perform(FoundingEffect effect) {
    if (holds
        && !(effect instanceof FoundingEffect.Answer)
        && !(effect instanceof FoundingEffect.Warn)) {
      held.add(effect);
    } else {
      act(effect);
    }
  }

  /** All that was held is done now. */
  void release() {
    holds = false;
    var all = List.copyOf(held);
    held.clear();
    all.forEach(this::act);
  }

  /** The next thing happens that it waits for. */
  void goOn(NodeName other) {
    if (!held.isEmpty()) {
      act(held.removeFirst());
      return;
    }
    switch (state().makings().values().iterator().next().phase()) {
      case ASKING_KEYS -> tellKey(other);
      case ASKING_MEMBERS -> acknowledge(other);
      case UNBEGUN, ELSEWHERE, UNGIVEN, UNMADE, UNENDED -> pass(Founding.PAUSE);
      case FINDING, STORING, LOOKING, SUBMITTING, CHECKING, ENDING, GONE ->
          throw new AssertionError("Nothing is held.");
    }
  }

  private boolean writeFails() {
    return failingWrites-- > 0;
  }

  private void act(FoundingEffect effect) {
    switch (effect) {
      case FoundingEffect.ReadPending(var after) -> readPending(after);
      case FoundingEffect.Find(var group) ->
          tell(
              failingFinds-- > 0
                  ? new FoundingInput.NotFound(group, AWAY)
                  : new FoundingInput.Found(group, Optional.ofNullable(store.get(group))));
      case FoundingEffect.Store(var group) -> {
        if (writeFails()) {
          tell(new FoundingInput.NotStored(group.id(), AWAY));
        } else {
          put(group);
          tell(new FoundingInput.Stored(group.id()));
        }
      }
      case FoundingEffect.Look(var group, var hashes, var withNonce) -> {
        var found = hashes.stream().filter(blocks::containsKey).findFirst();
        tell(
            new FoundingInput.Looked(
                group,
                found.map(this::receipt),
                withNonce && found.isEmpty() ? OptionalLong.of(nonce) : OptionalLong.empty(),
                baseFee));
      }
      case FoundingEffect.Submit submit -> {
        submitted.add(submit);
        var group = submit.deployment().genesis().group();
        tell(
            ledger
                .apply(submit)
                .<FoundingInput>map(
                    outcome ->
                        new FoundingInput.Submitted(group, SIGNER, outcome, baseFee, moneyComes))
                .orElse(new FoundingInput.Unreachable(group, AWAY)));
      }
      case FoundingEffect.UseGas use -> used.add(use);
      case FoundingEffect.StoreEnd(var ended) -> {
        if (writeFails()) {
          tell(new FoundingInput.EndNotStored(ended.id(), AWAY));
        } else {
          put(ended);
          store
              .get(ended.id())
              .genesisTransaction()
              .ifPresent(id -> fail(id, ended.notMade().orElseThrow()));
          tell(new FoundingInput.EndStored(ended.id()));
        }
      }
      case FoundingEffect.Refuse(var group, var asked, var reason) -> {
        if (writeFails()) {
          tell(new FoundingInput.EndNotStored(group, AWAY));
        } else {
          fail(asked.id(), reason);
          tell(new FoundingInput.EndStored(group));
        }
      }
      case FoundingEffect.Withdraw(var ended) -> withdrawn.add(ended);
      case FoundingEffect.Answer(var call, var outcome) -> {
        if (outcomes.put(call, outcome) != null) {
          throw new AssertionError("Answered twice: " + outcome);
        }
      }
      case FoundingEffect.Warn(var sentence) -> warnings.add(sentence);
      case FoundingEffect.Failed(var sentence, var why) ->
          warnings.add(sentence + " " + why.getMessage());
    }
  }

  private void readPending(long after) {
    if (failingReads-- > 0) {
      tell(new FoundingInput.PendingNotRead(AWAY));
      return;
    }
    var open =
        accepted.stream()
            .skip(after)
            .limit(100)
            .filter(asked -> !failures.containsKey(asked.id()))
            .toList();
    tell(
        new FoundingInput.PendingRead(
            open, accepted.size() > after + 100 ? Optional.of(after + 100) : Optional.empty()));
  }

  private void fail(TransactionId transaction, String reason) {
    failures.putIfAbsent(transaction, reason);
  }

  private void put(StoredGroup group) {
    store.merge(group.id(), group, StoredGroup::joined);
  }

  private LedgerReceipt receipt(TransactionHash hash) {
    return new LedgerReceipt(hash, SIGNER, 0, new BlockHeight(1), 0, List.of(blocks.get(hash)));
  }

  /** A block has what was submitted last, and it has made nothing. */
  TransactionHash carriedOutInVain(TransactionHash hash) {
    blocks.put(hash, new LedgerReceipt.NonceUsed());
    return hash;
  }

  void ledgerIsAway() {
    ledger = submit -> Optional.empty();
  }

  void ledgerAnswers(Function<TransactionHash, SubmitOutcome> outcome) {
    ledger = submit -> Optional.of(outcome.apply(hash(submit)));
  }

  void ledgerTakes() {
    ledgerAnswers(SubmitOutcome.Pooled::new);
  }

  List<Fees> fees() {
    return submitted.stream().map(FoundingEffect.Submit::fees).toList();
  }

  /** The groups whose contracts were submitted, in order, each as often as it was. */
  List<GroupId> deployed() {
    return submitted.stream().map(submit -> submit.deployment().genesis().group()).toList();
  }

  <M extends Message> List<M> sentTo(NodeName node, Class<M> kind) {
    return sent.stream()
        .filter(each -> each.to().equals(node))
        .map(Outgoing::message)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  /** A member's node takes part in what it was given last. */
  void acknowledge(NodeName node) {
    var given = sentTo(node, GroupGenesis.class).getLast();
    answer(node, new GroupGenesisAcknowledgement(given.requestId(), given.genesis().group()));
  }

  /** A member's node takes no part in what it was given last. */
  void reject(NodeName node, GenesisFlaw flaw) {
    var given = sentTo(node, GroupGenesis.class).getLast();
    answer(node, new GroupGenesisRejected(given.requestId(), given.genesis().group(), flaw));
  }

  /** A node tells the key that it was asked for last. */
  void tellKey(NodeName node) {
    var asked = sentTo(node, ResolveVerifierRequest.class).getLast();
    tellKey(node, key(asked.identity()));
  }

  void tellKey(NodeName node, Verifier key) {
    var asked = sentTo(node, ResolveVerifierRequest.class).getLast();
    answer(node, new ResolveVerifierResponse(asked.requestId(), asked.identity(), key));
  }

  /** A node does not know the identity that it was asked for last. */
  void tellNoKey(NodeName node) {
    var asked = sentTo(node, ResolveVerifierRequest.class).getLast();
    answer(node, new ResolveVerifierError(asked.requestId(), asked.identity(), "<script>"));
  }

  void answer(NodeName from, Message answer) {
    tell(new FoundingInput.Answered(from, answer));
  }

  /** Its contract is indexed. */
  void stand(GroupId group) {
    standing.add(group);
    tell(new FoundingInput.Standing(Set.of(group)));
  }

  /** The only group that is stored. */
  StoredGroup only() {
    if (store.size() != 1) {
      throw new AssertionError("Stored: " + store.keySet());
    }
    return store.values().iterator().next();
  }
}

package dev.sequitur.node.rpc.server;

import dev.sequitur.json.Field.Mention;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.Call.Sight;
import dev.sequitur.node.rpc.method.GroupShape;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.SeenIntents;
import dev.sequitur.node.rpc.method.SeenReceipts;
import dev.sequitur.protocol.guard.Grants;
import dev.sequitur.protocol.guard.Grants.Missing;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.sequencer.SequencerNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The one place where what a call asks for is compared with what its caller was granted, before
 * anything is read for it. Thread-safe.
 */
final class Permission {
  private static final CompletableFuture<Void> GIVEN = CompletableFuture.completedFuture(null);
  private static final Named EVERY_GROUP = new Named(Named.Kind.GROUPS, Named.ALL);

  private final Supplier<Grants> granted;
  private final SequencerNode node;

  /**
   * @param granted as it is now
   */
  Permission(Supplier<Grants> granted, SequencerNode node) {
    this.granted = granted;
    this.node = node;
  }

  /**
   * Before the parameters of a call are looked at.
   *
   * @throws RpcFailure if its caller may not call the method at all
   */
  void begin(RpcMethod method, Principal caller) {
    granted.get().missing(caller, method.group()).ifPresent(Permission::refuse);
  }

  /** What a caller lacks for something that names all these, and is no call of JSON-RPC. */
  Optional<Missing> missing(Principal caller, MethodGroup group, Collection<Named> about) {
    return caller.isAsked() ? grants().missing(caller, group, about) : Optional.empty();
  }

  /**
   * Before a call is carried out.
   *
   * @return fails with {@link RpcFailure} if it names what was not granted to its caller
   */
  CompletionStage<Void> check(RpcMethod method, Call call) {
    return ready(call.exchange().caller())
        .map(ready -> ready.thenCompose(done -> checked(method, call)))
        .orElseGet(() -> checked(method, call))
        .thenCompose(given -> load(call));
  }

  /**
   * What must be there before a caller is compared with what it was granted: which groups its
   * identities are in, if that matters for it.
   */
  Optional<CompletionStage<Void>> ready(Principal caller) {
    var identities = granted.get().identitiesThatMatter(caller);
    return identities.isEmpty() ? Optional.empty() : Optional.of(node.awaitGroupsOf(identities));
  }

  /** What a call is about is in memory while it is carried out. */
  private CompletionStage<Void> load(Call call) {
    var contracts = new LinkedHashSet<ContractAddress>();
    call.tell(
        (mention, name) -> {
          if (mention == Mention.CONTRACT) {
            parsed(name, ContractAddress::new).ifPresent(contracts::add);
          }
        });
    return contracts.isEmpty()
        ? GIVEN
        : Answers.all(contracts.stream().map(node::load).toList()).thenAccept(call::hold);
  }

  private CompletionStage<Void> checked(RpcMethod method, Call call) {
    var caller = call.exchange().caller();
    if (!caller.isAsked()) {
      return GIVEN;
    }
    var grants = grants();
    var named = new LinkedHashSet<Named>();
    var groups = new ArrayList<String>();
    var transactions = new ArrayList<TransactionId>();
    method.about().forEach(kind -> named.add(new Named(kind, Named.ALL)));
    call.tell((mention, name) -> note(mention, name, named, groups, transactions));
    grants.missing(caller, method.group(), named).ifPresent(Permission::refuse);
    var everyGroup = grants.missing(caller, method.group(), List.of(EVERY_GROUP));
    if (everyGroup.isEmpty()) {
      return GIVEN;
    }
    return Answers.inTurn(groups, this::group)
        .thenCompose(
            found -> {
              // Not which one is missing: that would tell what an id belongs to.
              if (found.stream().anyMatch(group -> !sees(method, caller, group))) {
                refuse(everyGroup.get());
              }
              return ofTransactions(method, caller, transactions);
            });
  }

  /** With who is a member of what: by the groups as they are now. */
  private Grants grants() {
    return granted
        .get()
        .with(
            contract ->
                parsed(contract, ContractAddress::new).flatMap(node::localMembers).stream()
                    .flatMap(names -> names.stream())
                    .map(name -> new Identity(name, node.name()).toString())
                    .toList());
  }

  private CompletionStage<Optional<StoredGroup>> group(String id) {
    return parsed(id, Hash::hex)
        .map(hash -> node.store().group(new GroupId(hash)))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  /** What cannot be read is refused when it is. */
  private static <T> Optional<T> parsed(String text, Function<String, T> read) {
    try {
      return Optional.of(read.apply(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private boolean isLocal(Identity member) {
    return member.node().equals(node.name());
  }

  /** Who may not see every group learns nothing of one that the node does not know. */
  private boolean sees(RpcMethod method, Principal caller, Optional<StoredGroup> group) {
    return group
        .filter(it -> !it.isUnconfirmedOfAnother())
        .filter(it -> isSeen(method, caller, it))
        .isPresent();
  }

  private boolean isSeen(RpcMethod method, Principal caller, StoredGroup stored) {
    var group = stored.group();
    if (group.isPresent()) {
      return isGranted(
          method, caller, new Named(Named.Kind.GROUPS, group.get().contract().value()));
    }
    var members =
        GroupShape.members(stored).stream()
            .map(Identity::parse)
            .filter(this::isLocal)
            .map(Identity::toString)
            .toList();
    var unconfirmed = new Named(Named.Kind.GROUPS, "unconfirmed:" + stored.id());
    return granted
        .get()
        .with(any -> members)
        .missing(caller, method.group(), List.of(unconfirmed))
        .isEmpty();
  }

  /**
   * What a caller may see of what a call of its finds. A refusal does not say whose it is: that
   * would tell of others.
   */
  Sight sight(RpcMethod method, Principal caller) {
    return new Seen(method, caller);
  }

  /**
   * With the grants as they are when it is made, and each name looked for once: a list has many
   * rows of few groups, and a group has many members.
   */
  private final class Seen implements Sight {
    private final RpcMethod method;
    private final Principal caller;
    private final Grants grants = Permission.this.grants();
    private final Map<Asked, Optional<Missing>> known = new ConcurrentHashMap<>();

    private Seen(RpcMethod method, Principal caller) {
      this.method = method;
      this.caller = caller;
    }

    private record Asked(MethodGroup methods, Named about) {}

    private Optional<Missing> missing(MethodGroup methods, Named about) {
      return caller.isAsked()
          ? known.computeIfAbsent(
              new Asked(methods, about), asked -> grants.missing(caller, methods, List.of(about)))
          : Optional.empty();
    }

    @Override
    public boolean grants(MethodGroup methods, Collection<Named> about) {
      return about.isEmpty()
          ? grants.missing(caller, methods).isEmpty()
          : about.stream().allMatch(named -> missing(methods, named).isEmpty());
    }

    @Override
    public Sight again() {
      return sight(method, caller);
    }

    @Override
    public Optional<RpcFailure> refusal(Collection<Named> about) {
      return about.stream()
          .filter(named -> missing(method.group(), named).isPresent())
          .findFirst()
          .flatMap(named -> missing(method.group(), new Named(named.kind(), Named.ALL)))
          .map(missing -> new RpcFailure(ErrorCode.NOT_GRANTED, missing.sentence()));
    }

    @Override
    public boolean reads(Collection<Named> about) {
      return grants(method.group(), about) || grants(MethodGroup.READ, about);
    }

    @Override
    public boolean sees(StoredGroup group) {
      return group
          .group()
          .map(it -> new Named(Named.Kind.GROUPS, it.contract().value()))
          .map(about -> missing(method.group(), about).isEmpty())
          .orElseGet(() -> isSeen(method, caller, group));
    }

    @Override
    public Optional<RpcFailure> refusalToMake(Collection<Identity> members) {
      var local =
          members.stream().filter(member -> isLocal(member)).map(Identity::toString).toList();
      return grants
          .missingToMake(caller, method.group(), local)
          .map(missing -> new RpcFailure(ErrorCode.NOT_GRANTED, missing.sentence()));
    }
  }

  private void note(
      Mention mention,
      String name,
      Set<Named> named,
      List<String> groups,
      List<TransactionId> transactions) {
    switch (mention) {
      case IDENTITY ->
          named.add(
              new Named(
                  Named.Kind.IDENTITIES, name.indexOf('@') < 0 ? name + "@" + node.name() : name));
      // Of a partition, what holds for its queue.
      case QUEUE -> named.add(new Named(Named.Kind.QUEUES, new QueueName(name).whole().value()));
      case ACCOUNT -> named.add(new Named(Named.Kind.ACCOUNTS, name));
      case CONTRACT -> named.add(new Named(Named.Kind.GROUPS, name.toLowerCase(Locale.ROOT)));
      case GROUP -> groups.add(name);
      case TRANSACTION -> transactions.add(TransactionId.parse(name));
      case MEMBER, SCHEDULE, FAMILY, LISTENER, DESCRIPTION, DAYS -> {}
    }
  }

  private CompletionStage<Void> ofTransactions(
      RpcMethod method, Principal caller, List<TransactionId> transactions) {
    CompletionStage<Void> all = GIVEN;
    for (var id : transactions) {
      all = all.thenCompose(nothing -> ofTransaction(method, caller, id));
    }
    return all;
  }

  /**
   * One of another group is looked for as one that is not there, so that it takes as long, and is
   * refused with the same sentence.
   */
  private CompletionStage<Void> ofTransaction(
      RpcMethod method, Principal caller, TransactionId id) {
    return node.store()
        .intent(id)
        .thenApply(intent -> intent.map(SeenIntents::about))
        .thenCompose(
            own ->
                own.filter(about -> isGranted(method, caller, about)).isPresent()
                    ? GIVEN
                    : isOfOthers(method, caller, id)
                        .thenCombine(hasMade(method, caller, id), Boolean::logicalOr)
                        .thenAccept(
                            seen -> {
                              if (own.isPresent() || !seen) {
                                granted
                                    .get()
                                    .missing(caller, method.group(), List.of(EVERY_GROUP))
                                    .ifPresent(Permission::refuse);
                              }
                            }));
  }

  /** Whether it has made a group that the caller may see; such a one may be no intent. */
  private CompletionStage<Boolean> hasMade(RpcMethod method, Principal caller, TransactionId id) {
    return node.store()
        .groupMadeBy(id)
        .thenApply(made -> made.filter(group -> isSeen(method, caller, group)).isPresent());
  }

  private boolean isGranted(RpcMethod method, Principal caller, Named about) {
    return grants().missing(caller, method.group(), List.of(about)).isEmpty();
  }

  /** Whether another node has sent it in a group that the caller may see. */
  private CompletionStage<Boolean> isOfOthers(
      RpcMethod method, Principal caller, TransactionId id) {
    return SeenReceipts.ofOthers(
            node.store(),
            id,
            group -> isGranted(method, caller, new Named(Named.Kind.GROUPS, group.value())),
            1)
        .thenApply(found -> !found.isEmpty());
  }

  static void refuse(Missing missing) {
    throw new RpcFailure(ErrorCode.NOT_GRANTED, missing.sentence());
  }
}

package dev.sequitur.node.rpc.server;

import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.json.Field.Mention;
import dev.sequitur.node.rpc.method.Call;
import dev.sequitur.node.rpc.method.Call.Sight;
import dev.sequitur.node.rpc.method.RpcMethod;
import dev.sequitur.node.rpc.method.SeenIntents;
import dev.sequitur.protocol.guard.Grants;
import dev.sequitur.protocol.guard.Grants.Missing;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.sequencer.SequencerNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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

  /**
   * Before a call is carried out.
   *
   * @return fails with {@link RpcFailure} if it names what was not granted to its caller
   */
  CompletionStage<Void> check(RpcMethod method, Call call) {
    var caller = call.exchange().caller();
    if (!caller.isAsked()) {
      return GIVEN;
    }
    var grants = granted.get();
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
    // Not which one is missing: that would tell what an id belongs to.
    if (groups.stream()
        .map(this::ofGroup)
        .anyMatch(group -> grants.missing(caller, method.group(), List.of(group)).isPresent())) {
      refuse(everyGroup.get());
    }
    return ofTransactions(method, caller, transactions);
  }

  /**
   * What a caller may see of what a call of its finds. A refusal does not say whose it is: that
   * would tell of others.
   */
  Sight sight(RpcMethod method, Principal caller) {
    return new Sight() {
      @Override
      public Optional<RpcFailure> refusal(Collection<Named> about) {
        var grants = granted.get();
        return about.stream()
            .filter(named -> grants.missing(caller, method.group(), List.of(named)).isPresent())
            .findFirst()
            .flatMap(
                named ->
                    grants.missing(
                        caller, method.group(), List.of(new Named(named.kind(), Named.ALL))))
            .map(missing -> new RpcFailure(ErrorCode.NOT_GRANTED, missing.sentence()));
      }

      @Override
      public boolean reads(Collection<Named> about) {
        var grants = granted.get();
        return grants.missing(caller, method.group(), about).isEmpty()
            || grants.missing(caller, MethodGroup.READ, about).isEmpty();
      }
    };
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
      case QUEUE -> named.add(new Named(Named.Kind.QUEUES, name));
      case ACCOUNT -> named.add(new Named(Named.Kind.ACCOUNTS, name));
      case CONTRACT -> named.add(new Named(Named.Kind.GROUPS, name.toLowerCase(Locale.ROOT)));
      case GROUP -> groups.add(name);
      case TRANSACTION -> transactions.add(TransactionId.parse(name));
      case SCHEDULE, FAMILY, LISTENER, DESCRIPTION -> {}
    }
  }

  /** Who may not see every group learns nothing of one that the node does not know. */
  private Named ofGroup(String id) {
    return node.groups().stream()
        .filter(group -> isSame(group.id().toString(), id))
        .findFirst()
        .map(group -> new Named(Named.Kind.GROUPS, group.contract().value()))
        .orElse(EVERY_GROUP);
  }

  private static boolean isSame(String digits, String sent) {
    return digits(digits).equals(digits(sent));
  }

  private static String digits(String hex) {
    var lower = hex.toLowerCase(Locale.ROOT);
    return lower.startsWith("0x") ? lower.substring(2) : lower;
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
                    : ofOthers(id)
                        .thenAccept(
                            others -> {
                              if (own.isPresent()
                                  || others
                                      .filter(about -> isGranted(method, caller, about))
                                      .isEmpty()) {
                                granted
                                    .get()
                                    .missing(caller, method.group(), List.of(EVERY_GROUP))
                                    .ifPresent(Permission::refuse);
                              }
                            }));
  }

  private boolean isGranted(RpcMethod method, Principal caller, Named about) {
    return granted.get().missing(caller, method.group(), List.of(about)).isEmpty();
  }

  /**
   * What must be granted to see another node's transaction: its group. One whose id several senders
   * have used is not found by it.
   */
  private CompletionStage<Optional<Named>> ofOthers(TransactionId id) {
    return node.store()
        .receiptOfOthers(id)
        .thenApply(
            found ->
                found
                    .map(other -> other.receipt().contract().value())
                    .map(contract -> new Named(Named.Kind.GROUPS, contract)));
  }

  static void refuse(Missing missing) {
    throw new RpcFailure(ErrorCode.NOT_GRANTED, missing.sentence());
  }
}

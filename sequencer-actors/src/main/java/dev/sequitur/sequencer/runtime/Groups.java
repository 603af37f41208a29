package dev.sequitur.sequencer.runtime;

import dev.sequitur.domain.GroupConfiguration;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.util.HashSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Makes privacy groups: stored first, then given to the nodes of the members, then deployed
 * (SEL-7).
 */
final class Groups {
  /** The code of what cannot be used. */
  static final String UNUSABLE = "SQ020010";

  /** Being made at a time; beyond, callers are refused. */
  static final int MOST = 1_000;

  private final NodeServices services;
  private final VerifierResolution verifiers;
  private final Deployments deployments;

  Groups(NodeServices services, VerifierResolution verifiers, Deployments deployments) {
    this.services = services;
    this.verifiers = verifiers;
    this.deployments = deployments;
  }

  /** Fails with a sentence for the caller, also while too many are being made. */
  CompletionStage<StoredGroup> create(GroupRequest request) {
    return deployments.reserve()
        ? create(request, new TransactionId(UUID.randomUUID()))
            .whenComplete((made, failure) -> deployments.release())
        : CompletableFuture.failedFuture(tooMany());
  }

  static RefusedIntent tooMany() {
    return new RefusedIntent(
        "SQ020022",
        "This node makes at most %d groups at a time: send it again when some of them stand."
            .formatted(MOST));
  }

  /**
   * The group of a transaction, unless it is stored already: then its deployment goes on by itself.
   */
  CompletionStage<Void> make(NewGroup asked) {
    return services
        .store()
        .group(new GroupId(idOf(asked.request(), asked.id())))
        .thenCompose(
            stored ->
                stored.isPresent()
                    ? CompletableFuture.completedFuture(null)
                    : create(asked.request(), asked.id()).thenAccept(made -> {}));
  }

  /** What keeps the group of a transaction from being made, if this JVM makes it. */
  Optional<String> waitsFor(NewGroup asked) {
    return deployments.waitsFor(new GroupId(idOf(asked.request(), asked.id())));
  }

  /** Whether the group that was asked for is not made whatever happens later. */
  static boolean isForGood(RefusedIntent refusal) {
    return refusal.code().equals(UNUSABLE) || GenesisDistribution.isRejection(refusal);
  }

  private CompletionStage<StoredGroup> create(
      GroupRequest request, TransactionId genesisTransaction) {
    var refusal = refusal(request);
    if (refusal.isPresent()) {
      return CompletableFuture.failedFuture(refusal.get());
    }
    var id = new GroupId(idOf(request, genesisTransaction));
    return genesis(id, request)
        .thenCompose(
            genesis -> {
              var deployment = new Deployment(request.domain(), genesis);
              var stored =
                  StoredGroup.of(id, services.now())
                      .withGenesisTransaction(Optional.of(genesisTransaction))
                      .withRequest(request.request())
                      .withDeployment(Optional.of(deployment));
              return services
                  .store()
                  .putGroup(stored)
                  .thenCompose(done -> deployments.begin(deployment))
                  .thenApply(done -> stored);
            });
  }

  /** Why no such group can be made, as far as this node can tell. */
  Optional<RefusedIntent> refusal(GroupRequest request) {
    return problem(request).map(problem -> new RefusedIntent(UNUSABLE, problem));
  }

  private Optional<String> problem(GroupRequest request) {
    var domain = services.setup().domains().get(request.domain());
    if (domain == null) {
      return Optional.of(
          "There is no domain '"
              + request.domain()
              + "': choose one of "
              + new TreeSet<>(services.setup().domains().keySet())
              + ".");
    }
    if (request.members().isEmpty()
        || new HashSet<>(request.members()).size() != request.members().size()) {
      return Optional.of("A group has at least one member, and each only once.");
    }
    if (request.members().stream().noneMatch(m -> m.node().equals(services.self()))) {
      return Optional.of(
          "Ask a node that is in the group: none of its members is on " + services.self() + ".");
    }
    var taken = request.members().stream().filter(NodeKeyNames::isTakenBy).findFirst();
    if (taken.isPresent()) {
      return Optional.of(
          "Member "
              + taken.get()
              + " is called like a key of its node's own: choose a name that starts with neither"
              + " 'submitter.' nor 'deployer.'.");
    }
    var known = new HashSet<>(services.setup().ports().transport().peers());
    known.add(services.self());
    for (var member : request.members()) {
      if (!known.contains(member.node())) {
        return Optional.of(
            "Member "
                + member
                + " is on a node that this one does not know: its peers are "
                + known
                + ".");
      }
    }
    return domain.checkConfiguration(request.configuration());
  }

  private static Hash idOf(GroupRequest request, TransactionId genesis) {
    var digest = new CanonicalDigest().add(request.domain()).add(request.name());
    request.members().forEach(member -> digest.add(member.toString()));
    return digest.add(request.configuration()).add(genesis.toString()).finish();
  }

  private CompletionStage<ContractGenesis> genesis(GroupId id, GroupRequest request) {
    return NodeQuestions.all(request.members().stream().map(this::member).toList())
        .thenApply(all -> genesis(id, request, new Committee(all)))
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    root(failure) instanceof RefusedIntent refused
                        ? refused
                        : new RefusedIntent("SQ020011", root(failure).getMessage())));
  }

  private CompletionStage<Member> member(Identity identity) {
    return verifiers.resolve(identity).thenApply(verifier -> new Member(identity, verifier));
  }

  private static ContractGenesis genesis(GroupId id, GroupRequest request, Committee committee) {
    committee
        .withOneKey()
        .ifPresent(
            both -> {
              throw new RefusedIntent(
                  UNUSABLE,
                  "Members %s and %s have the same key: each member of a group signs with one of its own."
                      .formatted(both.getFirst(), both.getLast()));
            });
    int threshold;
    try {
      threshold = GroupConfiguration.endorsementThreshold(request.configuration(), committee);
    } catch (IllegalArgumentException e) {
      throw new RefusedIntent(UNUSABLE, e.getMessage());
    }
    return new ContractGenesis(id, request.name(), committee, threshold, request.configuration());
  }

  static Throwable root(Throwable failure) {
    var cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /**
   * Deploys again what a crash or an unreachable ledger may have kept from being deployed, also
   * what a JVM that is gone has stored.
   */
  CompletionStage<Void> resume() {
    return services.store().groups().thenCompose(deployments::resume);
  }
}

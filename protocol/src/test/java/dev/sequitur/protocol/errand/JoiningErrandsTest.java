package dev.sequitur.protocol.errand;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.founding.GroupRules;
import dev.sequitur.protocol.founding.Joining;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.GroupStore;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How a node takes part in the groups of others, or does not (SEL-7, SEL-9). */
final class JoiningErrandsTest {
  private static final NodeName SELF = new NodeName("node1");
  private static final NodeName MAKER = new NodeName("node2");
  private static final NodeName THIRD = new NodeName("node3");
  private static final Identity ALICE = new Identity("alice", SELF);
  private static final RequestId REQUEST = new RequestId("first");
  private static final MessageId MESSAGE = new MessageId(new UUID(1, 2));

  private final Store store = new Store();
  private final List<Outgoing> sent = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final JoiningErrands joining =
      new JoiningErrands(
          store,
          new Joining(
              new GroupRules(
                  SELF,
                  Map.of("record", domain(), "token", domain()),
                  () -> Set.of(MAKER, THIRD),
                  identity -> identity.name().startsWith("deployer."),
                  new OwnKeys())),
          () -> Instant.EPOCH,
          new JoiningErrands.Edge() {
            @Override
            public void send(Outgoing answer) {
              sent.add(answer);
            }

            @Override
            public void warn(String sentence, Throwable why) {
              warnings.add(sentence);
            }
          });

  private long groups;

  /** One for each name, which is revoked for who is called so. */
  private static final class OwnKeys implements Keys {
    @Override
    public Verifier verifier(String name) {
      return key(new Identity(name, SELF));
    }

    @Override
    public Standing standing(String name, Verifier key) {
      return name.equals("revoked") ? Standing.REVOKED : Keys.super.standing(name, key);
    }

    @Override
    public Bytes sign(String name, Hash digest) {
      throw new UnsupportedOperationException("Nobody signs to take part.");
    }
  }

  /** Does at once what it is asked for, or later, or not at all. */
  private static final class Store implements GroupStore {
    private final Map<GroupId, StoredGroup> groups = new LinkedHashMap<>();
    private final List<Runnable> held = new ArrayList<>();
    private boolean holds;
    private boolean isFull;
    private boolean fails;
    private int writes;

    private <T> CompletionStage<T> done(Supplier<T> what) {
      var answer = new CompletableFuture<T>();
      Runnable run =
          () -> {
            if (fails) {
              answer.completeExceptionally(new IllegalStateException("The disk is full."));
            } else {
              answer.complete(what.get());
            }
          };
      if (holds) {
        held.add(run);
      } else {
        run.run();
      }
      return answer;
    }

    private void release() {
      while (!held.isEmpty()) {
        held.removeFirst().run();
      }
    }

    @Override
    public CompletionStage<Void> putGroup(StoredGroup group) {
      return done(
          () -> {
            writes++;
            groups.merge(group.id(), group, StoredGroup::joined);
            return null;
          });
    }

    @Override
    public CompletionStage<Optional<StoredGroup>> putGiven(StoredGroup group) {
      return done(
          () -> {
            if (!groups.containsKey(group.id())) {
              if (isFull && group.isAwaited()) {
                return Optional.empty();
              }
              writes++;
              groups.put(group.id(), group);
            }
            return Optional.of(groups.get(group.id()));
          });
    }

    @Override
    public CompletionStage<Optional<StoredGroup>> group(GroupId id) {
      return done(() -> Optional.ofNullable(groups.get(id)));
    }

    @Override
    public CompletionStage<Void> putKnown(StoredGroup group, KnownGroup known, BlockHeight at) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Optional<StoredGroup>> groupMadeBy(TransactionId genesis) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<StoredGroup>> groups(Optional<StoredGroup> before, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<StoredGroup>> unfinishedGroups() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<KnownGroup>> knownGroups(
        Optional<ContractAddress> after, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<KnownGroup>> known(Collection<ContractAddress> contracts) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<KnownGroup>> submittedBy(Collection<LedgerAddress> submitters) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Long> countKnown() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<String>> localMembers(Optional<String> after, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<LocalMember>> groupsOf(
        Names names, Optional<LocalMember> after, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<ChangedGroup>> changedGroups(
        BlockHeight above, BlockHeight upTo, Optional<ChangedGroup> after, int limit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<Intent>> newGroupsPending(long after, int limit) {
      throw new UnsupportedOperationException();
    }
  }

  private static Domain domain() {
    return (Domain)
        Proxy.newProxyInstance(
            Domain.class.getClassLoader(),
            new Class<?>[] {Domain.class},
            (proxy, method, arguments) -> {
              if (arguments[0].equals(Bytes.utf8("fails"))) {
                throw new IllegalStateException("Gone.");
              }
              return arguments[0].equals(Bytes.utf8("{}"))
                  ? Optional.empty()
                  : Optional.of("The configuration is an empty object.");
            });
  }

  private static Verifier key(Identity identity) {
    byte[] key = new byte[33];
    key[0] = 2;
    System.arraycopy(
        new CanonicalDigest().add(identity.toString()).finish().toByteArray(), 0, key, 1, 32);
    return new Verifier(Bytes.of(key));
  }

  private ContractGenesis genesis(String configuration, Member... members) {
    return new ContractGenesis(
        new GroupId(new Hash(++groups, 0, 0, 0)),
        "traders",
        new Committee(List.of(members)),
        1,
        Bytes.utf8(configuration));
  }

  private ContractGenesis genesis() {
    return genesis("{}", ours(), theirs());
  }

  private static Member ours() {
    return new Member(ALICE, key(ALICE));
  }

  private static Member theirs() {
    var bob = new Identity("bob", MAKER);
    return new Member(bob, key(bob));
  }

  private void give(NodeName from, String domain, ContractGenesis genesis) {
    joining.receive(from, MESSAGE, new GroupGenesis(REQUEST, domain, genesis));
  }

  private void withdraw(NodeName from, GroupId group) {
    joining.receive(from, MESSAGE, new GroupWithdrawal(REQUEST, group, "Nobody takes part."));
  }

  private List<Message> said() {
    return sent.stream().map(Outgoing::message).toList();
  }

  private StoredGroup stored(ContractGenesis genesis) {
    return store.groups.get(genesis.group());
  }

  private void assertRejected(GenesisFlaw flaw) {
    assertThat(said())
        .singleElement()
        .isInstanceOfSatisfying(
            GroupGenesisRejected.class, answer -> assertThat(answer.flaw()).isEqualTo(flaw));
    assertThat(store.groups).isEmpty();
  }

  @Test
  void itAcknowledgesWhenItHasStored() {
    var genesis = genesis();
    store.holds = true;

    give(MAKER, "record", genesis);
    assertThat(sent).isEmpty();

    store.release();
    assertThat(sent)
        .containsExactly(
            new Outgoing(
                MAKER,
                new GroupGenesisAcknowledgement(REQUEST, genesis.group()),
                Optional.of(MESSAGE)));
    assertThat(stored(genesis).isAwaited()).isTrue();
    assertThat(stored(genesis).giver()).contains(MAKER);
    assertThat(stored(genesis).deployment()).contains(new Deployment("record", genesis));
  }

  @Test
  void whatComesAgainIsAcknowledgedAgainAndStoredOnce() {
    var genesis = genesis();

    give(MAKER, "record", genesis);
    give(MAKER, "record", genesis);

    assertThat(said()).hasSize(2).allMatch(GroupGenesisAcknowledgement.class::isInstance);
    assertThat(store.writes).isEqualTo(1);
  }

  @Test
  void itSaysNothingIfItCannotStore() {
    store.fails = true;

    give(MAKER, "record", genesis());

    assertThat(sent).isEmpty();
    assertThat(warnings).hasSize(1);
  }

  @Test
  void itTakesNoPartInADomainThatItDoesNotHave() {
    give(MAKER, "unheard-of", genesis());

    assertRejected(GenesisFlaw.DOMAIN_UNKNOWN);
  }

  @Test
  void itTakesNoPartWithAConfigurationThatTheDomainRefuses() {
    give(MAKER, "record", genesis("[]", ours(), theirs()));

    assertRejected(GenesisFlaw.CONFIGURATION_REFUSED);
  }

  @Test
  void itTakesNoPartWithAConfigurationThatTheDomainFailsOver() {
    give(MAKER, "record", genesis("fails", ours(), theirs()));

    assertRejected(GenesisFlaw.CONFIGURATION_REFUSED);
  }

  @Test
  void itIsGivenAGroupByOneOfItsMembersOnly() {
    give(THIRD, "record", genesis());

    assertRejected(GenesisFlaw.NOT_FROM_A_MEMBER);
  }

  @Test
  void itTakesNoPartWithoutAMemberOfItsOwn() {
    give(MAKER, "record", genesis("{}", theirs()));

    assertRejected(GenesisFlaw.NO_MEMBER_HERE);
  }

  @Test
  void itTakesNoPartWithAKeyThatItDoesNotHold() {
    var wrong = new Member(ALICE, key(new Identity("other", SELF)));

    give(MAKER, "record", genesis("{}", wrong, theirs()));

    assertRejected(GenesisFlaw.KEY_NOT_OURS);
  }

  @Test
  void itTakesNoPartWithAKeyThatIsRevoked() {
    var revoked = new Identity("revoked", SELF);

    give(MAKER, "record", genesis("{}", new Member(revoked, key(revoked)), theirs()));

    assertRejected(GenesisFlaw.KEY_REVOKED);
  }

  @Test
  void itTakesNoPartIfTwoMembersHaveOneKey() {
    var same = new Member(new Identity("bob", MAKER), key(ALICE));

    give(MAKER, "record", genesis("{}", ours(), same));

    assertRejected(GenesisFlaw.KEY_TWICE);
  }

  @Test
  void itTakesNoPartWithAKeyOfTheNodeItself() {
    var deployer = new Identity("deployer.0a", SELF);

    give(MAKER, "record", genesis("{}", new Member(deployer, key(deployer)), theirs()));

    assertRejected(GenesisFlaw.KEY_NOT_OURS);
  }

  /** Else a member could put another group under the id, and others would hold it for stored. */
  @Test
  void itTakesNoPartInAGroupThatItWasGivenOtherwise() {
    var genesis = genesis();
    give(MAKER, "record", genesis);

    give(MAKER, "token", genesis);

    assertThat(said())
        .containsExactly(
            new GroupGenesisAcknowledgement(REQUEST, genesis.group()),
            new GroupGenesisRejected(REQUEST, genesis.group(), GenesisFlaw.OTHER_GENESIS));
    assertThat(store.writes).isEqualTo(1);
  }

  /** Two come at once, and neither finds the other stored. */
  @Test
  void ofTwoUnderOneIdItTakesPartInOne() {
    var genesis = genesis();
    store.holds = true;
    give(MAKER, "record", genesis);
    give(MAKER, "token", genesis);

    store.release();

    assertThat(said())
        .containsExactly(
            new GroupGenesisAcknowledgement(REQUEST, genesis.group()),
            new GroupGenesisRejected(REQUEST, genesis.group(), GenesisFlaw.OTHER_GENESIS));
  }

  @Test
  void itTakesNoPartWhileTooManyWait() {
    store.isFull = true;

    give(MAKER, "record", genesis());

    assertRejected(GenesisFlaw.TOO_MANY);
  }

  // What is withdrawn

  @Test
  void itAcknowledgesAWithdrawalWhenItHasStoredIt() {
    var genesis = genesis();
    give(MAKER, "record", genesis);
    store.holds = true;

    withdraw(MAKER, genesis.group());
    assertThat(sent).hasSize(1);

    store.release();
    assertThat(said())
        .last()
        .isEqualTo(new GroupWithdrawalAcknowledgement(REQUEST, genesis.group()));
    assertThat(stored(genesis).notMade()).contains("Nobody takes part.");
    assertThat(stored(genesis).withdrawnBy()).contains(MAKER);
  }

  @Test
  void nobodyButWhoHasGivenAGroupCanWithdrawIt() {
    var genesis = genesis();
    give(MAKER, "record", genesis);

    withdraw(THIRD, genesis.group());

    assertThat(stored(genesis).notMade()).isEmpty();
    assertThat(store.writes).isEqualTo(1);
  }

  /** Who has no answer asks again; the genesis may have been overtaken on its way. */
  @Test
  void itTakesNoPartInWhatWasWithdrawnBeforeItWasGiven() {
    var genesis = genesis();

    withdraw(MAKER, genesis.group());
    assertThat(said())
        .containsExactly(new GroupWithdrawalAcknowledgement(REQUEST, genesis.group()));
    assertThat(stored(genesis).withdrawnBy()).contains(MAKER);
    give(MAKER, "record", genesis);

    assertThat(said())
        .last()
        .isEqualTo(new GroupGenesisRejected(REQUEST, genesis.group(), GenesisFlaw.WITHDRAWN));
    assertThat(store.writes).isEqualTo(1);
  }

  /** Its maker would deploy what others take for ended. */
  @Test
  void itTakesNoPartInWhatWasWithdrawn() {
    var genesis = genesis();
    give(MAKER, "record", genesis);
    withdraw(MAKER, genesis.group());

    give(MAKER, "record", genesis);

    assertThat(said())
        .last()
        .isEqualTo(new GroupGenesisRejected(REQUEST, genesis.group(), GenesisFlaw.WITHDRAWN));
  }

  @Test
  void itSaysNothingToAWithdrawalIfItCannotStore() {
    store.fails = true;

    withdraw(MAKER, genesis().group());

    assertThat(sent).isEmpty();
    assertThat(warnings).hasSize(1);
  }

  // Keys

  @Test
  void itTellsTheKeysOfItsOwnIdentitiesAndOfNobodyElse() {
    joining.receive(MAKER, MESSAGE, new ResolveVerifierRequest(REQUEST, ALICE));
    joining.receive(
        MAKER, MESSAGE, new ResolveVerifierRequest(REQUEST, new Identity("bob", THIRD)));
    joining.receive(
        MAKER, MESSAGE, new ResolveVerifierRequest(REQUEST, new Identity("deployer.0a", SELF)));

    assertThat(said()).first().isEqualTo(new ResolveVerifierResponse(REQUEST, ALICE, key(ALICE)));
    assertThat(said().subList(1, 3)).allMatch(ResolveVerifierError.class::isInstance);
    assertThat(sent).allMatch(answer -> answer.to().equals(MAKER));
  }
}

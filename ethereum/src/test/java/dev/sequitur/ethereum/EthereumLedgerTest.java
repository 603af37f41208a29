package dev.sequitur.ethereum;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Called;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.NonceUsed;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome.Pooled;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.BaseLedgerContract;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.KnownGroups;
import dev.sequitur.protocol.transaction.Signature;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port on a chain in a process of its own. */
class EthereumLedgerTest extends BaseLedgerContract {
  private static final Secp256k1Signatures SIGNATURES = new Secp256k1Signatures();
  private static final int MEMBERS = 3;

  @TempDir Path directory;
  private FileKeys keys;
  private DevChain chain;
  private ChainGroup group;
  private EthereumLedger ledger;
  private String factory;
  private volatile Set<LedgerAddress> awaited = Set.of();
  private volatile Deploy deploy;

  /** The same chain, as far as it can't be replaced. */
  private EthereumLedger finalOnly;

  @BeforeEach
  void start() throws IOException {
    chain = startChain();
    keys = FileKeys.open(directory);
    factory = ChainGroup.factory(chain);
    var genesis = new Hash(1, 2, 3, 4);
    group = ChainGroup.create(chain, factory, keys, MEMBERS, MEMBERS, genesis);
    for (var key : List.of("key", "another")) {
      chain.fund(address(keys.signer(key)).value());
    }
    ledger = ledger(factory, Head.LATEST);
    finalOnly = ledger(factory, Head.FINALIZED);
  }

  private EthereumLedger ledger(String factory, Head head) {
    var view =
        new EthereumLedger(
            new ChainRpc(List.of(chain.address()), ForkJoinPool.commonPool()),
            new EthereumLedger.Settings(BaseLedger.LOCAL_CHAIN, new LedgerAddress(factory), head),
            SIGNATURES,
            new OneGroup());
    return view;
  }

  /** Else it would be given up after some tries, as one whose nonce another has used. */
  @Test
  void whatIsInABlockThatIsNotFinalIsPooledIfItComesAgain() {
    var signer = keys.signer("key");
    var transaction = new LedgerTransaction(address(signer), 0, price(), 1_000_000, new UseNonce());
    var signed = List.of(ledger.sign(transaction, signer));
    await(ledger.submit(signed));
    cut();
    assumeTrue(
        await(finalOnly.receipt(signed.get(0).hash())).isEmpty(), "Here each block is final.");

    assertThat(await(finalOnly.submit(signed))).containsExactly(new Pooled(signed.get(0).hash()));
  }

  DevChain startChain() {
    return Anvil.startWithHistory();
  }

  @AfterEach
  void stop() {
    if (chain != null) {
      chain.close();
    }
  }

  @Override
  protected BaseLedger ledger() {
    return ledger;
  }

  @Override
  protected Keys keys() {
    return keys;
  }

  @Override
  protected LedgerAddress address(Signer signer) {
    return SIGNATURES.address(signer.verifier());
  }

  @Override
  protected ContractAddress contract() {
    return group.contract();
  }

  @Override
  protected List<Signature> endorsements(Hash digest) {
    return group.members().stream().map(member -> group.sign(member, digest)).toList();
  }

  @Override
  protected void cut() {
    chain.mine();
  }

  @Override
  protected void replaceNewest() {
    chain.replaceNewest();
  }

  /** This node looks at one of the two. */
  @Override
  protected boolean comparesBothFees() {
    return false;
  }

  /** A chain clears what is spent. */
  @Override
  protected RevertReason reason(RevertReason exact) {
    return RevertReason.STATE_UNAVAILABLE;
  }

  @Override
  protected <T> T await(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }

  @Override
  protected void awaitPublic(LedgerAddress signer) {
    awaited = Set.of(signer);
  }

  private LedgerReceipt sent(PublicCall call) {
    var signer = keys.signer("key");
    awaitPublic(address(signer));
    var signed =
        ledger.sign(new LedgerTransaction(address(signer), 0, price(), 1_000_000, call), signer);
    await(ledger.submit(List.of(signed)));
    cut();
    var head = await(ledger.head());
    var inBlock = await(ledger.blocks(head, 1)).getLast().receipts().getLast();
    assertThat(await(ledger.receipt(signed.hash()))).contains(inBlock);
    return inBlock;
  }

  private static Called succeeded(PublicCall call) {
    return new Called(call.hash(), Optional.empty(), Bytes.EMPTY, Optional.empty());
  }

  private static PublicCall call(ContractAddress to, Bytes data) {
    return new PublicCall(Optional.of(to), data, BigInteger.ZERO);
  }

  /** Prepared in external mode, say, and sent by its own node's public transaction. */
  @Test
  void aGroupsCallByAPublicSignerIsToldToTheGroupAndToItsSigner() {
    var transition = transition("one");
    var call = call(contract(), group.fulfillCall(group.endorsed(List.of(transition), MEMBERS)));

    assertThat(sent(call).results())
        .containsExactly(
            new Fulfilled(
                contract(), transition.intent(), List.of(), List.of(), transition.outputs()),
            succeeded(call));
  }

  /** A group takes no money. */
  @Test
  void aGroupsCallByAPublicSignerThatIsRejectedIsToldToBoth() {
    var transition = transition("one");
    var content = group.fulfillCall(group.endorsed(List.of(transition), MEMBERS));
    var call = new PublicCall(Optional.of(contract()), content, BigInteger.ONE);

    var results = sent(call).results();

    assertThat(results).hasSize(2);
    assertThat(results.getFirst())
        .isInstanceOfSatisfying(
            Reverted.class,
            reverted -> {
              assertThat(reverted.intent()).isEqualTo(transition.intent());
              assertThat(reverted.reason()).isEqualTo(RevertReason.CALL_REJECTED);
            });
    assertThat(results.getLast())
        .isInstanceOfSatisfying(Called.class, called -> assertThat(called.failure()).isPresent());
  }

  /** Its hash is in the pool before the group stands: whoever sees it there can be faster. */
  @Test
  void aCallWithAGroupsHashAndOtherTermsMakesNoGroup() {
    deploy = new Deploy("record", terms());
    var members = group.members();
    var strangers = new ArrayList<>(ChainGroup.committee(keys, MEMBERS + 1));
    var exact = ChainGroup.createCall(deploy.hash(), MEMBERS, members);
    long nonce = 0;
    for (var other :
        List.of(
            ChainGroup.createCall(deploy.hash(), MEMBERS - 1, MEMBERS, members),
            ChainGroup.createCall(deploy.hash(), MEMBERS, MEMBERS - 1, members),
            ChainGroup.createCall(deploy.hash(), MEMBERS, strangers),
            Bytes.of(Arrays.copyOf(exact.toByteArray(), exact.size() + 1)))) {
      var signer = keys.signer(nonce++ == 0 ? "key" : "key" + nonce);
      chain.fund(address(signer).value());
      var call = call(new ContractAddress(factory), other);
      var transaction = new LedgerTransaction(address(signer), 0, price(), 1_000_000, call);
      var signed = ledger.sign(transaction, signer);
      await(ledger.submit(List.of(signed)));
      cut();

      var found = await(ledger.receipt(signed.hash())).orElseThrow();
      assertThat(chain.call("eth_getTransactionReceipt", signed.hash().toString()).get("logs"))
          .as("it has made a contract")
          .isNotEmpty();
      assertThat(found.results()).containsExactly(new NonceUsed());
      assertThat(await(ledger.transaction(signed.hash()))).isEmpty();
    }
  }

  private ContractGenesis terms() {
    return new ContractGenesis(
        new GroupId(new Hash(5, 5, 5, 5)),
        "made",
        new Committee(group.members()),
        MEMBERS,
        Bytes.EMPTY);
  }

  @Test
  void aGroupThatAPublicSignerMakesIsToldAsWell() {
    var terms = terms();
    deploy = new Deploy("record", terms);
    var call =
        call(
            new ContractAddress(factory),
            ChainGroup.createCall(deploy.hash(), MEMBERS, group.members()));

    var results = sent(call).results();

    assertThat(results)
        .first()
        .isInstanceOfSatisfying(
            Deployed.class, deployed -> assertThat(deployed.genesis()).isEqualTo(terms));
    assertThat(results).last().isEqualTo(succeeded(call));
    assertThat(results).hasSize(2);
  }

  /** Else no node would read the chain any further. */
  @Test
  void whatStrangersContractsSayOfAChangeKeepsNobodyFromReadingTheBlock() {
    var signer = keys.signer("key");
    var selector = GroupContract.selector("ChangeRefused(uint8)").toHex().substring(2);
    var said = "63" + selector + "60e01b600052";
    var quorum = new Quorum(new Committee(group.members()), 1);
    var signed = new ArrayList<SignedLedgerTransaction>();
    for (var rest : List.of("60c860045260246000fd", "60046000fd")) {
      var stranger = new ContractAddress(chain.deploy(returning(said + rest)));
      var change =
          new ChangeCommittee(
              stranger, new CommitteeChange(1, quorum, new BlockHeight(90)), List.of());
      var nonce = signed.size();
      signed.add(
          ledger.sign(
              new LedgerTransaction(address(signer), nonce, price(), 1_000_000, change), signer));
    }
    await(ledger.submit(signed));
    cut();

    var block = await(ledger.blocks(await(ledger.head()), 1)).getLast();

    assertThat(block.receipts())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.results()).containsExactly(new NonceUsed()));
  }

  /** What makes a contract of this code. */
  private static Bytes returning(String code) {
    return Bytes.hex("60%02x8060093d393df3".formatted(code.length() / 2) + code);
  }

  private static ChainGroup.Transition transition(String name) {
    var id = new TransactionId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    return new ChainGroup.Transition(
        new IntentKey(id, new SenderCommitment(new Hash(9, 9, 9, 9))),
        List.of(),
        List.of(),
        List.of(new StateId(new Hash(8, 8, 8, 8))));
  }

  /** The group of the test. */
  private final class OneGroup implements KnownGroups {
    @Override
    public Optional<PrivacyGroup> group(ContractAddress contract) {
      return contract.equals(group.contract())
          ? Optional.of(
              new PrivacyGroup(
                  new GroupId(new Hash(1, 1, 1, 1)),
                  BaseLedger.LOCAL_CHAIN,
                  contract,
                  "record",
                  "test",
                  new Committee(group.members()),
                  MEMBERS,
                  Bytes.EMPTY))
          : Optional.empty();
    }

    @Override
    public CompletionStage<Optional<Deploy>> genesis(Hash hash) {
      return completedFuture(Optional.ofNullable(deploy).filter(it -> it.hash().equals(hash)));
    }

    @Override
    public CompletionStage<Set<LedgerAddress>> publicSigners() {
      return completedFuture(awaited);
    }
  }
}

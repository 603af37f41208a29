package dev.sequitur.domain;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.endorser.SenderProofs;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.DelegationId;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Domain.Assembly;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import dev.sequitur.protocol.transaction.SubmitMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A privacy group of three members, alice@node1, bob@node2 and carol@node3, each with the keys of a
 * node of its own, and the states they share. Not thread-safe.
 */
final class GroupFixture {
  static final Signatures SIGNATURES = new Secp256k1Signatures();
  static final Identity ALICE = Identity.parse("alice@node1");
  static final Identity BOB = Identity.parse("bob@node2");
  static final Identity CAROL = Identity.parse("carol@node3");
  static final Identity STRANGER = Identity.parse("mallory@node4");

  private static final Map<Identity, Keys> KEYS = keys();

  private final Domain domain;
  private PrivacyGroup group;
  private final Map<Identity, Keys> replaced = new LinkedHashMap<>();
  private final Map<StateId, PrivateState> unspent = new LinkedHashMap<>();
  private long transactions;

  GroupFixture(Domain domain) {
    this(domain, "");
  }

  GroupFixture(Domain domain, String configuration) {
    this.domain = domain;
    var members =
        List.of(ALICE, BOB, CAROL).stream()
            .map(identity -> new Member(identity, keys(identity).verifier(identity.name())))
            .toList();
    var committee = new Committee(members);
    this.group =
        new PrivacyGroup(
            new GroupId(Hash.sha256(new byte[] {1})),
            BaseLedger.LOCAL_CHAIN,
            new ContractAddress("0x" + "ab".repeat(20)),
            domain.name(),
            "test",
            committee,
            threshold(Bytes.utf8(configuration), committee),
            Bytes.utf8(configuration));
  }

  /** As for the genesis; of all members where none could be made. */
  private static int threshold(Bytes configuration, Committee committee) {
    try {
      return GroupConfiguration.quorum(configuration, committee).threshold();
    } catch (IllegalArgumentException wrong) {
      return committee.members().size();
    }
  }

  private static Map<Identity, Keys> keys() {
    var keys = new LinkedHashMap<Identity, Keys>();
    for (var identity : List.of(ALICE, BOB, CAROL, STRANGER)) {
      keys.put(identity, newKeys());
    }
    return keys;
  }

  /** Keys of a node that nobody knows. */
  static Keys newKeys() {
    try {
      var directory = Files.createTempDirectory("sequitur-keys");
      var keys = FileKeys.open(directory);
      try (var files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
      return keys;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Keys keys(Identity identity) {
    return KEYS.get(identity);
  }

  Domain domain() {
    return domain;
  }

  PrivacyGroup group() {
    return group;
  }

  /** The group after a change of its committee, of which some go on. */
  PrivacyGroup left(Identity... staying) {
    var committee =
        new Committee(
            List.of(staying).stream()
                .map(it -> group.committee().member(it).orElseThrow())
                .toList());
    var change = new CommitteeChange(1, new Quorum(committee, staying.length), new BlockHeight(9));
    return group.changed(change, new BlockHeight(5)).orElseThrow();
  }

  /** Only these go on from now. */
  void leaveBut(Identity... staying) {
    group = left(staying);
  }

  /** A member's node has another key, and the committee has changed to that (CMT-1). */
  void replaceKey(Identity member) {
    var keys = newKeys();
    replaced.put(member, keys);
    var members =
        group.committee().members().stream()
            .map(
                it ->
                    it.identity().equals(member)
                        ? new Member(member, keys.verifier(member.name()))
                        : it)
            .toList();
    int number = group.committees().number() + 1;
    var quorum = new Quorum(new Committee(members), group.endorsementThreshold());
    var change = new CommitteeChange(number, quorum, new BlockHeight(100));
    group = group.changed(change, new BlockHeight(number)).orElseThrow();
  }

  private Keys held(Identity identity) {
    return replaced.getOrDefault(identity, keys(identity));
  }

  List<Identity> members() {
    return group.committee().identities();
  }

  /** A transaction with an id of its own. */
  PrivateTransaction transaction(Identity from, String function, String inputs) {
    return new PrivateTransaction(
        new TransactionId(new UUID(7, ++transactions)),
        group.contract(),
        domain.name(),
        function,
        from,
        Bytes.utf8(inputs.replace('\'', '"')),
        SubmitMode.AUTO,
        List.of(),
        Hash.sha256(new byte[] {(byte) transactions}));
  }

  Domain.States states() {
    return this::available;
  }

  private List<PrivateState> available(String schema, String lookup) {
    return unspent.values().stream()
        .filter(state -> state.schema().equals(schema) && state.lookup().equals(lookup))
        .toList();
  }

  Assembly assemble(PrivateTransaction transaction) {
    return domain.assemble(group, transaction, states(), held(transaction.from()));
  }

  /** Assembles upon what is unspent, which changes nothing. */
  PostAssembly assembled(PrivateTransaction transaction) {
    var assembly = assemble(transaction);
    if (assembly instanceof Assembly.Assembled assembled) {
      return assembled.postAssembly();
    }
    throw new AssertionError("Not assembled: " + assembly);
  }

  /** As if the base ledger had confirmed it. */
  void confirm(PostAssembly assembly) {
    for (var input : assembly.inputIds()) {
      if (unspent.remove(input) == null) {
        throw new AssertionError("Spent twice or never made: " + input);
      }
    }
    for (var read : assembly.readIds()) {
      if (!unspent.containsKey(read)) {
        throw new AssertionError("Read but spent or never made: " + read);
      }
    }
    for (var output : assembly.outputs()) {
      if (unspent.put(output.id(), output) != null) {
        throw new AssertionError("Made twice: " + output.id());
      }
    }
  }

  /** Assembles, asks every member to endorse, and confirms. */
  PostAssembly run(Identity from, String function, String inputs) {
    var transaction = transaction(from, function, inputs);
    var assembly = assembled(transaction);
    for (var member : members()) {
      var endorsement = endorse(request(member, transaction, assembly));
      if (!(endorsement instanceof Domain.Endorsement.Endorsed)) {
        throw new AssertionError(member + " does not endorse: " + endorsement);
      }
    }
    confirm(assembly);
    return assembly;
  }

  EndorsementRequest request(
      Identity party, PrivateTransaction transaction, PostAssembly assembly) {
    var item =
        new EndorsementRequest.Item(
            transaction,
            assembly.specification(),
            group.committee().members(),
            proof(transaction, assembly),
            assembly.inputs(),
            assembly.reads(),
            assembly.outputs(),
            assembly.info(),
            new DelegationId(new NodeName("node1"), 1, 1));
    return new EndorsementRequest(
        assembly.attestationPlan().get(0),
        new RequestId("r1"),
        transaction.contract(),
        party,
        List.of(item),
        new NodeName("node1"),
        new BlockHeight(1));
  }

  /** As its sender's node signs it. */
  private Proof proof(PrivateTransaction transaction, PostAssembly assembly) {
    var from = transaction.from();
    var keys = held(from);
    var digest =
        group
            .attestation(Purpose.ASSEMBLY)
            .digest(assembly.transition(transaction.key()), MerklePath.ALONE);
    return new Proof(
        MerklePath.ALONE,
        List.of(new Signature(from, keys.verifier(from.name()), keys.sign(from.name(), digest))));
  }

  /** As an endorser checks it: by its domain, and whether the sender has signed it. */
  Domain.Endorsement endorse(EndorsementRequest request) {
    var item = request.items().get(0);
    var checked = domain.endorse(group, request, item);
    return checked instanceof Domain.Endorsement.Endorsed
        ? new SenderProofs(group, SIGNATURES)
            .refusal(item, item.transition())
            .<Domain.Endorsement>map(Domain.Endorsement.Refused::new)
            .orElse(checked)
        : checked;
  }

  String call(Identity from, String function, String inputs) {
    var json = Bytes.utf8(inputs.replace('\'', '"'));
    return domain.call(group, from, function, json, states()).toUtf8().replace('"', '\'');
  }

  List<PrivateState> unspent() {
    return new ArrayList<>(unspent.values());
  }
}

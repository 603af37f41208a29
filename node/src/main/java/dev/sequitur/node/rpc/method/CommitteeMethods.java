package dev.sequitur.node.rpc.method;

import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.protocol.founding.Changing;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.ChangeStore.Phase;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The committees of groups: how they stand, and what the operator agrees to. */
record CommitteeMethods(NodeContext context) {
  private static final ObjectShape<Member> MEMBER =
      ObjectShape.<Member>named("CommitteeMember")
          .with("identity", Formats.IDENTITY, Member::identity)
          .with("verifier", Formats.VERIFIER, Member::verifier);

  private static final ObjectShape<Quorum> QUORUM =
      ObjectShape.<Quorum>named("Quorum")
          .with("members", MEMBER.list(), quorum -> quorum.committee().members())
          .with("threshold", Shape.NUMBER, Quorum::threshold, "how many must endorse")
          .with(
              "changeThreshold",
              Shape.NUMBER,
              Quorum::changeThreshold,
              "how many must sign for another committee");

  private static final ObjectShape<Changing.Unsigned> UNSIGNED =
      ObjectShape.<Changing.Unsigned>named("UnsignedChange")
          .with(
              "newKeys",
              Formats.IDENTITY.list(),
              Changing.Unsigned::newKeys,
              "whose new key has not signed; each of them must")
          .with(
              "others",
              Formats.IDENTITY.list(),
              Changing.Unsigned::others,
              "members of before that have not signed")
          .with("needed", Shape.NUMBER, Changing.Unsigned::needed, "how many of `others` must");

  /**
   * A change with what is known of the group here.
   *
   * @param group empty as long as this node has not read of it
   */
  private record Shown(AgreedChange agreed, Optional<PrivacyGroup> group) {
    private Optional<Changing.Unsigned> unsigned() {
      return group
          .filter(known -> agreed.phase().isOpen())
          .map(known -> Changing.unsigned(known, agreed));
    }
  }

  private static final ObjectShape<Shown> AGREED =
      ObjectShape.<Shown>named("AgreedChange")
          .with("contractAddress", Formats.ADDRESS, shown -> shown.agreed().contract())
          .with("number", Shape.NUMBER, shown -> shown.agreed().change().number())
          .all(QUORUM, shown -> shown.agreed().change().quorum())
          .with(
              "until",
              Shape.NUMBER,
              shown -> shown.agreed().change().until().value(),
              "the last block that takes the change, and endorsements of the committee before it")
          .with(
              "state",
              Shape.among(Phase.class, phase -> phase.name().toLowerCase(Locale.ROOT)),
              shown -> shown.agreed().phase())
          .with("since", Formats.TIME, shown -> shown.agreed().since())
          .with("by", Formats.TEXT, shown -> shown.agreed().by(), "who has called")
          .with(
              "signed",
              Formats.IDENTITY.list(),
              shown ->
                  shown.agreed().signatures().stream()
                      .map(each -> each.party())
                      .distinct()
                      .toList())
          .maybe("unsigned", UNSIGNED, Shown::unsigned, "while the change is open")
          .maybe(
              "note",
              Formats.TEXT,
              shown -> shown.agreed().note(),
              "why it is over, or what it waits for");

  private record Standing(ContractAddress contract, PrivacyGroup group, Optional<Shown> change) {}

  private static final ObjectShape<Standing> STANDING =
      ObjectShape.<Standing>named("GroupCommittee")
          .with("contractAddress", Formats.ADDRESS, Standing::contract)
          .with(
              "number",
              Shape.NUMBER,
              it -> it.group().committees().number(),
              "of the last change; 0 if there was none")
          .all(QUORUM, it -> it.group().committees().newest())
          .maybe(
              "change", AGREED, Standing::change, "the last that this node's operator agreed to");

  private static final Format<Identity> IDENTITY =
      Format.of("an identity, name@node", "alice@node1", Identity::parse);
  private static final Field<Identity> MEMBER_IDENTITY =
      Field.of("identity", IDENTITY, "").mentions(Field.Mention.MEMBER);
  private static final Field<Verifier> MEMBER_VERIFIER =
      Field.of("verifier", Formats.VERIFIER, "its key from then on");
  private static final Field<Integer> NUMBER =
      Field.of("number", Formats.COUNT, "one more than that of the last change");
  private static final Field<List<Sent>> MEMBERS =
      Field.of(
          "members",
          ObjectFormat.of("CommitteeMemberRequest", MEMBER_IDENTITY, MEMBER_VERIFIER)
              .list(CommitteeChange.MOST_MEMBERS),
          "all that there are afterwards, each once");
  private static final Field<Integer> THRESHOLD =
      Field.of("threshold", Formats.COUNT, "how many must endorse afterwards");
  private static final Field<Integer> CHANGE_THRESHOLD =
      Field.of("changeThreshold", Formats.COUNT, "how many must sign the next change");
  private static final Field<Long> UNTIL =
      Field.of(
          "until",
          Formats.NUMBER,
          "the last block that takes the change, and endorsements of the committee before it");
  private static final Field<Sent> CHANGE =
      Field.of(
          "change",
          ObjectFormat.of(
              "CommitteeChangeRequest", NUMBER, MEMBERS, THRESHOLD, CHANGE_THRESHOLD, UNTIL),
          "what stands afterwards");

  List<RpcMethod> methods() {
    return List.of(getCommittee(), openChanges(), change(), withdraw());
  }

  private RpcMethod getCommittee() {
    return RpcMethod.reading(
        "sequencer_getCommittee",
        List.of(GroupMethods.ADDRESS),
        STANDING.orNull(),
        "the committee, or null",
        "The committee of a group as this node knows it, with the change that the node's operator has"
            + " agreed to last.",
        call -> standing(call.get(GroupMethods.ADDRESS)));
  }

  private CompletionStage<Optional<Standing>> standing(ContractAddress contract) {
    return context
        .store()
        .agreed(contract)
        .thenCompose(agreed -> Answers.ifThere(agreed, this::shown))
        .thenCombine(
            context.node().load(contract),
            (change, group) ->
                group
                    .or(() -> change.flatMap(Shown::group))
                    .map(known -> new Standing(contract, known, change)));
  }

  private CompletionStage<Shown> shown(AgreedChange agreed) {
    return context
        .node()
        .load(agreed.contract())
        .thenApply(group -> new Shown(agreed, group.or(agreed::read)));
  }

  private RpcMethod openChanges() {
    return RpcMethod.reading(
        "sequencer_openCommitteeChanges",
        List.of(),
        AGREED.list(),
        "an array of changes",
        "The changes of committees that this node's operator has agreed to and that have neither come"
            + " into force nor ended, of groups that the caller may see.",
        call ->
            context
                .store()
                .openChanges()
                .thenCompose(
                    open ->
                        Answers.<AgreedChange, Shown>inTurn(
                            open.stream().filter(each -> call.sees(each.contract())).toList(),
                            this::shown)));
  }

  private RpcMethod change() {
    return RpcMethod.of(
        MethodGroup.COMMITTEE,
        "sequencer_changeCommittee",
        List.of(GroupMethods.ADDRESS, CHANGE),
        AGREED,
        "the change as this node has it",
        "This node's operator agrees to a change of a group's committee. The node signs it with its"
            + " members' keys, gathers the signatures of the nodes whose operators have agreed to the"
            + " same, and gives it to the base ledger once enough have signed ([operations]"
            + "(operations.md#members-that-change)). To call it again changes nothing.",
        call ->
            context
                .node()
                .agree(
                    call.get(GroupMethods.ADDRESS),
                    read(call.get(CHANGE)),
                    call.exchange().caller().toString())
                .thenCompose(this::shown));
  }

  private CommitteeChange read(Sent sent) {
    var members =
        sent.get(MEMBERS).stream()
            .map(each -> new Member(each.get(MEMBER_IDENTITY), each.get(MEMBER_VERIFIER)))
            .toList();
    try {
      return new CommitteeChange(
          sent.get(NUMBER),
          new Quorum(new Committee(members), sent.get(THRESHOLD), sent.get(CHANGE_THRESHOLD)),
          new BlockHeight(sent.get(UNTIL)));
    } catch (IllegalArgumentException e) {
      throw sent.wrong(": " + e.getMessage());
    }
  }

  private RpcMethod withdraw() {
    return RpcMethod.of(
        MethodGroup.COMMITTEE,
        "sequencer_withdrawCommitteeChange",
        List.of(GroupMethods.ADDRESS),
        AGREED.orNull(),
        "the change as this node has it, or null",
        "This node's operator takes back what it has agreed to last of a group: nothing more is"
            + " signed or gathered for it. What has enough signatures already stays as it is, and a"
            + " signature that other nodes have counts until `until`.",
        call ->
            context
                .node()
                .withdraw(call.get(GroupMethods.ADDRESS))
                .thenCompose(kept -> Answers.ifThere(kept, this::shown)));
  }
}

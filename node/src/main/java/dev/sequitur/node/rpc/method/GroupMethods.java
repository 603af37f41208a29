package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.FieldKind;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** Privacy groups: made and found. */
record GroupMethods(NodeContext context) {
  private static final int MAX_MEMBERS = 256;

  static final Map<String, QueryField<StoredGroup>> FIELDS =
      QueryField.table(
          List.of(
              QueryField.of("id", FieldKind.ID, row -> row.id().toString()),
              QueryField.of("domain", FieldKind.TEXT, GroupShape::domain),
              QueryField.of("name", FieldKind.TEXT, GroupShape::name),
              QueryField.of("created", FieldKind.TIME, StoredGroup::created),
              new QueryField<>(
                  "genesisTransaction",
                  FieldKind.ID,
                  row -> row.genesisTransaction().map(Object::toString)),
              new QueryField<>(
                  "contractAddress",
                  FieldKind.ID,
                  row -> row.group().map(group -> group.contract().value()))));

  private static final Field<String> NAME = Field.or("name", Formats.NAME, "", "");
  private static final Field<List<GivenIdentity>> MEMBERS =
      Field.or(
          "members",
          GivenIdentity.FORMAT
              .naming((member, told) -> told.accept(Field.Mention.MEMBER, member.text()))
              .list(MAX_MEMBERS),
          List.of(),
          "each once");
  private static final Field<JsonNode> PROPERTIES =
      Field.or("properties", Formats.OBJECT, JsonText.object(), "yours");
  private static final Field<JsonNode> CONFIGURATION =
      Field.or("configuration", Formats.OBJECT, JsonText.object(), "the domain's");
  private static final Field<String> DOMAIN =
      Field.of("domain", Formats.TEXT, "the group's domain");
  private static final Field<Sent> NEW_GROUP =
      Field.of(
          "group",
          ObjectFormat.of("GroupRequest", DOMAIN, MEMBERS, NAME, PROPERTIES, CONFIGURATION).open(),
          "the new group");
  private static final Field<Hash> ID =
      Field.of("id", Formats.HASH, "the group's id").mentions(Field.Mention.GROUP);
  private static final Field<GivenIdentity> MEMBER =
      Field.of("member", GivenIdentity.FORMAT, "the member, name@node");
  private static final Field<Sent> QUERY = QueryReader.field("GroupQuery", FIELDS);
  static final Field<ContractAddress> ADDRESS =
      Field.of("address", Formats.ADDRESS, "the group's contract").mentions(Field.Mention.CONTRACT);

  List<RpcMethod> methods() {
    return List.of(
        createGroup(), getGroupById(), getGroupByAddress(), queryGroups(), queryGroupsWithMember());
  }

  private RpcMethod createGroup() {
    return RpcMethod.submitting(
        "pgroup_createGroup",
        List.of(NEW_GROUP),
        GroupShape.GROUP,
        "the group; `contractAddress` is null until the contract is confirmed",
        "Makes a privacy group: asks each member's node for its key and puts the group's contract"
            + " on the base ledger. `configuration` is the domain's, such as"
            + " `{\"endorsementThreshold\":2}` ([who must"
            + " endorse](operations.md#who-must-endorse)); `properties` are yours. Its caller needs"
            + " all groups, or `new` and one of the members' identities.",
        call -> {
          var sent = call.get(NEW_GROUP);
          call.mustMake(
              sent.get(MEMBERS).stream().map(each -> each.at(context.node().name())).toList());
          return context.node().createGroup(request(sent));
        });
  }

  private RpcMethod getGroupById() {
    return RpcMethod.reading(
        "pgroup_getGroupById",
        List.of(DOMAIN, ID),
        GroupShape.GROUP.orNull(),
        "the group, or null",
        "A group by its id.",
        call -> context.group(call.get(DOMAIN), call.get(ID)));
  }

  private RpcMethod getGroupByAddress() {
    return RpcMethod.reading(
        "pgroup_getGroupByAddress",
        List.of(ADDRESS),
        GroupShape.GROUP.orNull(),
        "the group, or null",
        "A group by the address of its contract.",
        call -> context.groupAt(call.get(ADDRESS)));
  }

  private RpcMethod queryGroups() {
    return RpcMethod.reading(
        "pgroup_queryGroups",
        List.of(QUERY),
        GroupShape.GROUP.list(),
        "an array of groups",
        "Groups of this node that the caller may see, newest first unless sorted otherwise.",
        call -> query(call, group -> true));
  }

  private RpcMethod queryGroupsWithMember() {
    return RpcMethod.reading(
        "pgroup_queryGroupsWithMember",
        List.of(MEMBER, QUERY),
        GroupShape.GROUP.list(),
        "an array of groups",
        "As pgroup_queryGroups, of those only that have this member.",
        this::queryWithMember);
  }

  private CompletionStage<List<StoredGroup>> queryWithMember(Call call) {
    var member = call.get(MEMBER).at(context.node().name()).toString();
    return query(call, group -> GroupShape.members(group).contains(member));
  }

  private CompletionStage<List<StoredGroup>> query(Call call, Predicate<StoredGroup> wanted) {
    var query = context.query(call.get(QUERY), FIELDS);
    return context.scan(
        call,
        context.groups(),
        query,
        group -> NodeContext.isShown(call, group) && wanted.test(group),
        query.sort().isEmpty(),
        group -> 0);
  }

  private GroupRequest request(Sent group) {
    return request(
        context.domain(group.get(DOMAIN)).name(),
        group.get(NAME),
        members(group),
        group.get(PROPERTIES),
        group.get(CONFIGURATION));
  }

  /** With what is kept of it. */
  static GroupRequest request(
      String domain,
      String name,
      List<Identity> members,
      JsonNode properties,
      JsonNode configuration) {
    var request = JsonText.object().put("domain", domain).put("name", name);
    var list = request.putArray("members");
    members.forEach(member -> list.add(member.toString()));
    request.set("properties", properties);
    request.set("configuration", configuration);
    return new GroupRequest(
        domain,
        name,
        members,
        Bytes.of(JsonText.write(configuration)),
        Bytes.of(JsonText.write(request)));
  }

  private List<Identity> members(Sent group) {
    var node = context.node();
    var members = group.get(MEMBERS).stream().map(each -> each.at(node.name())).toList();
    if (members.isEmpty()) {
      throw group.wrong(MEMBERS, " is missing or empty: name each member as name@node.");
    }
    var seen = new HashSet<Identity>();
    for (var member : members) {
      if (!seen.add(member)) {
        throw group.wrong(MEMBERS, " names " + member + " twice. Name each member once.");
      }
      if (!member.node().equals(node.name()) && !node.peers().contains(member.node())) {
        throw new RpcFailure(
            ErrorCode.UNKNOWN_NODE,
            "The member %s is on a node that this one cannot reach. transport_peers lists those it can."
                .formatted(member));
      }
    }
    return members;
  }
}

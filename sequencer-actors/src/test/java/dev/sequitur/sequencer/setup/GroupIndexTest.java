package dev.sequitur.sequencer.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.GroupStore.KnownGroup;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupIndexTest {
  private static final int GROUPS = 100_000;

  private final GroupIndex index = new GroupIndex();

  @Test
  void whatWasAddedIsFoundAndNothingElse() {
    for (int number = 0; number < GROUPS; number++) {
      assertThat(index.add(group(number))).isTrue();
    }

    assertThat(index.add(group(7))).as("it is there").isFalse();
    assertThat(index.size()).isEqualTo(GROUPS);
    for (int number = 0; number < GROUPS; number += 97) {
      var group = group(number);
      assertThat(index.isKnown(group.contract())).isTrue();
      assertThat(index.nodes(group.contract())).contains(Set.copyOf(group.nodes()));
      assertThat(index.local(group.contract())).contains(group.local());
      assertThat(index.contractOf(group.submitter())).contains(group.contract());
    }
    assertThat(index.isKnown(group(GROUPS).contract())).isFalse();
    assertThat(index.nodes(group(GROUPS).contract())).isEmpty();
    assertThat(index.contractOf(group(GROUPS).submitter())).isEmpty();
  }

  @Test
  void aGroupTakesLessThanAHundredBytesHoweverManyThereAre() {
    for (int number = 0; number < GROUPS; number++) {
      index.add(group(number));
      if (number > 1_000) {
        assertThat(index.bytes()).isLessThan(100L * number);
      }
    }
  }

  @Test
  void namesThatOneGroupAloneHasTakeAsManyBytesMoreAsTheyAreLong() {
    for (int number = 0; number < GROUPS; number++) {
      assertThat(index.add(ownMembers(number))).isTrue();
      if (number > 5_000) {
        assertThat(index.bytes()).isLessThan(100L * number);
      }
    }

    for (int number = 0; number < GROUPS; number += 97) {
      var group = ownMembers(number);
      assertThat(index.local(group.contract())).contains(group.local());
      assertThat(index.nodes(group.contract())).contains(Set.copyOf(group.nodes()));
    }
  }

  @Test
  void aThousandNodesAndLongListsOfMembersAreToldAsTheyWere() {
    var members = IntStream.range(0, 100).mapToObj("a-member-with-a-name-%03d"::formatted).toList();
    for (int number = 0; number < 1_000; number++) {
      index.add(wide(number, members));
    }

    for (int number = 0; number < 1_000; number++) {
      var group = wide(number, members);
      assertThat(index.local(group.contract())).contains(group.local());
      assertThat(index.nodes(group.contract())).contains(Set.copyOf(group.nodes()));
    }
  }

  @Test
  void aGroupWithoutAMemberOfThisNodeHasNone() {
    var group = group(1);
    var ofOthers = new KnownGroup(group.contract(), group.submitter(), group.nodes(), List.of());

    index.add(ofOthers);

    assertThat(index.local(group.contract())).contains(List.of());
  }

  private static KnownGroup group(int number) {
    var random = new Random(number);
    return new KnownGroup(
        new ContractAddress(address(random)),
        new LedgerAddress(address(random)),
        List.of(new NodeName("node1"), new NodeName("node" + (2 + number % 5))),
        number % 2 == 0 ? List.of("alice") : List.of("alice", "bob"));
  }

  private static KnownGroup ownMembers(int number) {
    var like = group(number);
    return new KnownGroup(
        like.contract(),
        like.submitter(),
        List.of(new NodeName("node1"), new NodeName("node" + (2 + number % 50))),
        List.of("customer-%05d".formatted(number)));
  }

  private static KnownGroup wide(int number, List<String> members) {
    var like = group(number);
    return new KnownGroup(
        like.contract(),
        like.submitter(),
        List.of(new NodeName("node"), new NodeName("node" + number)),
        members.subList(0, number % 101));
  }

  private static String address(Random random) {
    return "0x%016x%016x%08x".formatted(random.nextLong(), random.nextLong(), random.nextInt());
  }
}

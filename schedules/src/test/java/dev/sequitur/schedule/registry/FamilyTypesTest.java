package dev.sequitur.schedule.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyEvent;
import dev.sequitur.schedule.family.FamilyNotice;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Terms;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who stores or sends what families put in the place of open types finds all of it here. */
class FamilyTypesTest {
  /** What a queue cannot serve a schedule of that family without. */
  private static final List<Class<?>> OF_EACH =
      List.of(Family.class, Terms.class, FamilyState.class);

  private static final List<Class<?>> OF_SOME =
      List.of(
          FamilyEvent.class,
          FamilyOperation.class,
          FamilyResult.class,
          FamilyNotice.class,
          FamilyQuery.class);

  @Test
  void eachFamilyHasRulesTermsAndAStateInTheOrderInWhichABlockServesThem() {
    for (var open : OF_EACH) {
      assertThat(rooms(open))
          .as("%s", open)
          .containsExactlyElementsOf(
              Stream.of(FamilyKind.values()).map(FamilyTypesTest::room).toList());
    }
  }

  @Test
  void whoAsksForOneOpenTypeIsGivenAlternativesOfNoOther() {
    for (var open : Stream.concat(OF_EACH.stream(), OF_SOME.stream()).toList()) {
      assertThat(FamilyTypes.of(open)).as("%s", open).isNotEmpty().allMatch(open::isAssignableFrom);
    }
    assertThat(FamilyTypes.of(String.class)).isEmpty();
  }

  /** Where these types stand. */
  private static List<String> rooms(Class<?> open) {
    return FamilyTypes.of(open).stream().map(Class::getPackageName).toList();
  }

  private static String room(FamilyKind kind) {
    var schedules = FamilyKind.class.getPackageName();
    return switch (kind) {
      case MULTI_SIGNATURE -> schedules + ".multisignature";
      case RECURRING -> schedules + ".recurring";
      case GAS_PRIORITY -> schedules + ".gaspriority";
      case PLAN_EXECUTION -> schedules + ".plan";
      case CHAIN_EXECUTION -> schedules + ".chainexecution";
    };
  }
}

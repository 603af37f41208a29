package dev.sequitur.domain;

import static dev.sequitur.domain.GroupFixture.ALICE;
import static dev.sequitur.domain.GroupFixture.BOB;
import static dev.sequitur.domain.GroupFixture.CAROL;
import static dev.sequitur.domain.GroupFixture.SIGNATURES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Domain.Construction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which group a constructor of {@code noto} asks for. */
class NotoConstructorTest {
  private final NotoDomain noto = new NotoDomain(SIGNATURES);

  private Construction construct(Identity from, String inputs) {
    return noto.construct(from, Bytes.utf8(inputs.replace('\'', '"')));
  }

  /** As the class of Paladin's TypeScript client sends it. */
  @Test
  void theNotaryTheSenderAndTheOtherMembersMakeTheGroup() {
    var asked =
        construct(
            BOB,
            "{'notary':'alice@node1','notaryMode':'basic','name':'Gold','symbol':'AU','options':"
                + "{'basic':{'restrictMint':true,'allowBurn':true,'allowLock':false},"
                + "'members':['bob','carol@node3','alice@node1']}}");

    assertThat(asked)
        .isEqualTo(
            new Construction.Wanted(
                "Gold",
                java.util.List.of(ALICE, BOB, CAROL),
                Bytes.utf8(
                    ("{'allowBurn':true,'allowLock':false,'decimals':4,'endorsement':'committee',"
                            + "'name':'Gold','notary':'alice@node1','notaryMode':'basic',"
                            + "'restrictMint':true,'symbol':'AU'}")
                        .replace('\'', '"'))));
    assertThat(noto.checkConfiguration(((Construction.Wanted) asked).configuration())).isEmpty();
  }

  @Test
  void whatIsNotSaidIsAsUsual() {
    var asked = (Construction.Wanted) construct(ALICE, "{'notary':'alice'}");

    assertThat(asked.name()).isEqualTo("noto");
    assertThat(asked.members()).containsExactly(ALICE);
    assertThat(asked.configuration().toUtf8())
        .contains("\"restrictMint\":true", "\"allowBurn\":true", "\"allowLock\":true");
  }

  @Test
  void theNotaryAloneMayEndorse() {
    var asked =
        (Construction.Wanted)
            construct(ALICE, "{'notary':'alice','options':{'endorsement':'notary'}}");

    assertThat(asked.configuration().toUtf8())
        .contains("\"endorsement\":\"notary\",\"endorsementThreshold\":1");
    assertThat(noto.checkConfiguration(asked.configuration())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | lack 'notary'",
        "[] | JSON object",
        "{ | one JSON value",
        "{'notary':'a@n','notaryMode':'hooks'} | private EVM",
        "{'notary':'a@n','options':{'hooks':{}}} | private EVM",
        "{'notary':'a@n','options':[]} | JSON object",
        "{'notary':'a@n','options':{'basic':{'allowBurn':'yes'}}} | true or false",
        "{'notary':'a@n','options':{'members':'bob'}} | as an array",
        "{'notary':'a@n','options':{'members':[7]}} | as a string",
        "{'notary':'a@n','implementation':'other'} | one implementation",
        "{'notary':'a@n','surprise':1} | not known"
      })
  void whatCannotBeMadeIsRefusedWithASentence(String inputs, String words) {
    assertThat(construct(ALICE, inputs))
        .isInstanceOfSatisfying(
            Construction.Refused.class,
            refused -> assertThat(refused.reason()).contains(words).endsWith("."));
  }
}

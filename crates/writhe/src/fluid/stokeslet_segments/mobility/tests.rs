use crate::fluid::stokeslet_segments::coefficients::segment_blocks;
use crate::fluid::stokeslet_segments::mobility::*;
use crate::fluid::stokeslet_segments::segments::{EndWeights, RodNodes};
use crate::fluid::stokeslet_segments::velocity::velocity_at;

/// Deterministic numbers in [-1, 1).
struct Noise(u64);

impl Noise {
    fn number(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }
}

fn open(first_node: usize, n_nodes: usize) -> RodNodes {
    RodNodes {
        first_node,
        n_nodes,
        closed: false,
    }
}

/// A straight rod (every node on the axis of every other edge), a closed random rod of 11 nodes, an
/// open random walk with short and long edges.
fn tangle() -> (StokesModel, Vec<DVec3>) {
    let closed = RodNodes {
        first_node: 40,
        n_nodes: 11,
        closed: true,
    };
    let rods = vec![open(0, 40), closed, open(51, 30)];
    let n_edges: usize = rods.iter().map(RodNodes::n_edges).sum();
    let mut noise = Noise(1);
    let epsilon = (0..n_edges)
        .map(|_| 0.02 * (1.5 + noise.number()))
        .collect();
    let mut positions: Vec<DVec3> = (0..40).map(|i| DVec3::X * 0.1 * f64::from(i)).collect();
    positions.extend((0..11).map(|_| noise.vector()));
    let mut end = DVec3::new(0.5, 0.5, 0.5);
    positions.extend((0..30).map(|i| {
        end += noise.vector() * if i % 3 == 0 { 0.01 } else { 0.3 };
        end
    }));
    let model = StokesModel::new(rods, epsilon, 0.7, EndWeights::Voronoi).unwrap();
    (model, positions)
}

/// The definition, block by block, from the scalar coefficients.
fn scalar_mobility(model: &StokesModel, positions: &[DVec3]) -> Vec<Vec<DMat3>> {
    let n = model.n_nodes();
    let lengths = model.node_lengths(positions).unwrap();
    let mut blocks = vec![vec![DMat3::ZERO; n]; n];
    let scale = 1.0 / (8.0 * std::f64::consts::PI * model.viscosity());
    for (edge, [i, j]) in model.edges() {
        for (row, point) in blocks.iter_mut().zip(positions) {
            let [a, b] = segment_blocks(*point, positions[i], positions[j], model.epsilon()[edge]);
            row[i] += a * (scale / lengths[i]);
            row[j] += b * (scale / lengths[j]);
        }
    }
    blocks
}

fn norm(block: DMat3) -> f64 {
    block
        .to_cols_array()
        .iter()
        .map(|a| a * a)
        .sum::<f64>()
        .sqrt()
}

#[test]
fn vector_kernel_agrees_with_the_scalar_reference() {
    let (model, positions) = tangle();
    let mobility = DenseMobility::new(&model, &positions).unwrap();
    let (dense, expected) = (mobility.dense(), scalar_mobility(&model, &positions));
    for (i, row) in expected.iter().enumerate() {
        for (j, block) in row.iter().enumerate() {
            let columns = [0, 1, 2]
                .map(|c| DVec3::from_array([0, 1, 2].map(|r| dense[(3 * i + r, 3 * j + c)])));
            let exact = DMat3::from_cols(columns[0], columns[1], columns[2]);
            let difference = norm(exact - *block) / norm(*block);
            assert!(difference < 1e-13, "block {i} {j}: {difference:e}");
            let difference = norm(mobility.rough_block(i, j).unwrap() - exact) / norm(exact);
            assert!(difference < 1e-7, "block {i} {j}: {difference:e}");
        }
    }
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let n = 300;
    let mut noise = Noise(3);
    let positions: Vec<DVec3> = (0..n).map(|_| noise.vector()).collect();
    let force: Vec<f64> = (0..3 * n).map(|_| noise.number()).collect();
    let model =
        StokesModel::new(vec![open(0, n)], vec![0.1; n - 1], 1.0, EndWeights::Voronoi).unwrap();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mobility = DenseMobility::new(&model, &positions).unwrap();
            let mut velocity = [vec![0.0; 3 * n], vec![0.0; 3 * n]];
            mobility.apply(&force, &mut velocity[0]).unwrap();
            mobility.apply_roughly(&force, &mut velocity[1]).unwrap();
            (mobility.rough, velocity)
        })
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn products_agree_with_the_dense_matrix_and_with_the_field() {
    let (model, positions) = tangle();
    let n = model.n_nodes();
    let mobility = DenseMobility::new(&model, &positions).unwrap();
    let mut noise = Noise(2);
    let force: Vec<f64> = (0..3 * n).map(|_| 1e-30 * noise.number()).collect();
    let (mut velocity, mut rough) = (vec![0.0; 3 * n], vec![0.0; 3 * n]);
    mobility.apply(&force, &mut velocity).unwrap();
    mobility.apply_roughly(&force, &mut rough).unwrap();
    // Beside the assembly as on its own, to the last bit.
    let (mut again, mut beside) = (DenseMobility::default(), vec![0.0; 3 * n]);
    again
        .assemble_with(&model, &positions, &force, &mut beside)
        .unwrap();
    assert_eq!(
        (beside, again.rough),
        (velocity.clone(), mobility.rough.clone())
    );
    let dense = mobility.dense();
    let largest = velocity.iter().fold(0.0_f64, |m, a| m.max(a.abs()));
    for (i, velocity) in velocity.iter().enumerate() {
        let expected: f64 = (0..3 * n).map(|j| dense[(i, j)] * force[j]).sum();
        assert!((velocity - expected).abs() < 1e-14 * largest);
        assert!((rough[i] - expected).abs() < 2e-6 * largest);
    }
    let forces: Vec<DVec3> = force.chunks_exact(3).map(DVec3::from_slice).collect();
    let field = velocity_at(&model, &positions, &forces, &positions).unwrap();
    for (field, velocity) in field.iter().zip(velocity.chunks_exact(3)) {
        assert!((*field - DVec3::from_slice(velocity)).length() < 1e-13 * largest);
    }
}

/// From far away the rods are one Stokeslet in their centre of force,
/// `u = (F + (F.r) r / r^2) / (8 pi mu r)`: what is left falls by one more power of the distance.
#[test]
fn far_away_the_flow_is_that_of_a_stokeslet() {
    let (model, positions) = tangle();
    let forces: Vec<DVec3> = (0..model.n_nodes())
        .map(|i| DVec3::new(1.0, 0.3 * (i as f64).sin(), -0.5))
        .collect();
    let total: DVec3 = forces.iter().sum();
    let middle = positions.iter().sum::<DVec3>() / positions.len() as f64;
    let size = positions.iter().map(|x| x.distance(middle));
    let size = size.fold(0.0, f64::max);
    let direction = DVec3::new(0.48, -0.6, 0.64);
    let error = |distance: f64| {
        let r = direction * distance;
        let point = [middle + r];
        let found = velocity_at(&model, &positions, &forces, &point).unwrap()[0];
        let along = r * (total.dot(r) / r.length_squared());
        let viscosity = model.viscosity();
        let wanted = (total + along) / (8.0 * std::f64::consts::PI * viscosity * distance);
        (found - wanted).length() / wanted.length()
    };
    let [near, far] = [100.0, 200.0].map(|sizes| error(sizes * size));
    assert!(near < 1e-2, "{near}");
    assert!((1.9..4.1).contains(&(near / far)), "{near} {far}");
}

#[test]
fn part_of_the_dense_matrix() {
    let (model, positions) = tangle();
    let mobility = DenseMobility::new(&model, &positions).unwrap();
    let (dense, part) = (mobility.dense(), mobility.dense_block(40..51, 3..9));
    assert_eq!((part.nrows(), part.ncols()), (33, 18));
    assert_eq!(part, dense.submatrix(120, 9, 33, 18).to_owned());
}

#[test]
fn wrong_input_is_an_error() {
    let model = |rods, epsilon| StokesModel::new(rods, epsilon, 1.0, EndWeights::Voronoi);
    assert!(matches!(
        model(vec![open(0, 3), open(4, 2)], vec![1.0; 3]),
        Err(StokesError::RodsNotConsecutive {
            rod: 1,
            first_node: 4,
            expected: 3
        })
    ));
    assert!(matches!(
        model(vec![open(0, 3)], vec![1.0, -1.0]),
        Err(StokesError::NotPositive { index: 1, .. })
    ));
    let model = model(vec![open(0, 3)], vec![1.0; 2]).unwrap();
    let mut mobility = DenseMobility::new(&model, &[DVec3::ZERO, DVec3::X, DVec3::Y]).unwrap();
    let before = mobility.rough.clone();
    assert!(matches!(
        mobility.assemble(&model, &[DVec3::ZERO, DVec3::X, DVec3::X]),
        Err(StokesError::NotPositive { index: 1, .. })
    ));
    assert_eq!(before, mobility.rough);
    let positions = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let refused = mobility.assemble_with(&model, &positions, &[0.0; 6], &mut [0.0; 9]);
    assert!(matches!(
        refused,
        Err(StokesError::Size { what: "force", .. })
    ));
    assert_eq!(before, mobility.rough);
    assert!(mobility.apply(&[0.0; 9], &mut [0.0; 8]).is_err());
}

//! Obstacles on their way from the start of a step to its stage.
//!
//! A barrier must not be crossed to make room for an obstacle, so one that moves farther than gaps
//! are wide moves in parts, each as far as rods have made room, as Newton's method goes along. What
//! it has still to go then belongs to the correction, as for prescribed unknowns: seen from the
//! obstacle the rod goes back by it, and its contact forces turn with the obstacle.

use crate::contact::obstacle::frame::ObstacleFrame;
use crate::model::Model;
use crate::schedule::Pose;

impl ObstacleFrame {
    /// Whether any obstacle moves in this step as it is told to.
    pub(crate) fn move_by_themselves(&self) -> bool {
        self.start != self.stage
    }

    /// Moves obstacles to where they are after a part of the time from the start of the step to its
    /// stage; those that ride stay.
    pub fn advance(&mut self, model: &Model, progress: f64) {
        if progress != self.progress {
            let poses = self.poses(model, progress);
            self.progress = progress;
            for (frame, pose) in self.frames.iter_mut().zip(poses) {
                frame.pose = pose;
            }
        }
    }

    /// Poses after a part of the time to the stage; of obstacles that ride those of the last trial.
    pub(super) fn poses(&self, model: &Model, progress: f64) -> Vec<Pose> {
        let [start, stage] = self.times;
        let pose = |(o, obstacle): (usize, &crate::obstacle::Obstacle)| {
            if obstacle.riding.is_some() {
                self.frames[o].pose
            } else if progress >= 1.0 {
                // To the last bit where the stage has it.
                self.stage[o]
            } else {
                obstacle.pose(start + progress * (stage - start))
            }
        };
        model.obstacles.iter().enumerate().map(pose).collect()
    }
}
